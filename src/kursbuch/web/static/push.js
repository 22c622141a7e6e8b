// Shows what arrives by Web Push, and opens the table when it is clicked.
self.addEventListener("push", (event) => {
  const told = event.data ? event.data.json() : {};
  const shown = self.registration.showNotification(told.title || "Kursbuch", {
    body: told.text || "",
    icon: "/static/icon-192.png",
    tag: told.tag || "kursbuch",
    renotify: true,
    data: { url: told.url || "/" },
  });
  event.waitUntil(shown);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = pages.find((page) => new URL(page.url).pathname === url.pathname);
    return there ? there.focus() : self.clients.openWindow(url.href);
  };
  event.waitUntil(open());
});
