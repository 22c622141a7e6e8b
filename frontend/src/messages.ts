/** The page of notification settings: the time zone of the reader, and this browser as one that is told;
 * it no longer is after logging out. */

/** Logging out does not wait longer for the server of the browser's maker, in milliseconds. */
const PATIENCE = 2000;

export function startMessages(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-push-end]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      // Else this browser would say at once again how it is reached.
      const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
      void Promise.race([forget(form), late]).finally(() => form.submit());
    });
  }
  const page = document.querySelector<HTMLElement>("[data-messages]");
  if (page === null) return;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const field of page.querySelectorAll<HTMLInputElement>("input[name=zone]")) {
    field.value = zone;
  }
  const button = page.querySelector<HTMLButtonElement>("[data-push]");
  const state = page.querySelector<HTMLElement>("[data-push-state]");
  if (button !== null && state !== null) void offer(button, state, zone);
}

async function offer(button: HTMLButtonElement, state: HTMLElement, zone: string): Promise<void> {
  const say = (what: "on" | "denied" | "failed" | "install"): void => {
    state.textContent = button.dataset[`said${what[0]?.toUpperCase()}${what.slice(1)}`] ?? "";
    button.hidden = true;
  };
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    // Phones and tablets of Apple tell only what stands on their home screen, and only they know of that.
    say("standalone" in navigator && navigator.standalone === false ? "install" : "failed");
    return;
  }
  if (Notification.permission === "denied") {
    say("denied");
    return;
  }
  try {
    const known = await navigator.serviceWorker.getRegistration("/");
    if ((await known?.pushManager.getSubscription()) && (await told(zone))) {
      say("on");
      return;
    }
  } catch {
    // A browser that blocks storage refuses even to be asked.
    say("failed");
    return;
  }
  // The browser asks only readers who request it.
  button.addEventListener("click", () => {
    void subscribe(button.dataset["push"] ?? "", zone).then(say, () => say("failed"));
  });
}

async function subscribe(key: string, zone: string): Promise<"on" | "denied" | "failed"> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await navigator.serviceWorker.register("/push.js");
  const ready = await navigator.serviceWorker.ready;
  await ready.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return (await told(zone)) ? "on" : "failed";
}

/** Nothing reaches this browser any more; a form says which one it is. */
async function forget(form: HTMLFormElement): Promise<void> {
  const known = await navigator.serviceWorker?.getRegistration("/");
  const found = await known?.pushManager.getSubscription();
  if (!found) return;
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "endpoint", value: found.endpoint });
  form.append(field);
  await found.unsubscribe();
}

/** Say to the server how this browser is reached; it forgets those who are gone. */
async function told(zone: string): Promise<boolean> {
  const worker = await navigator.serviceWorker.ready;
  const found = await worker.pushManager.getSubscription();
  const keys = found?.toJSON().keys;
  if (!found || !keys) return false;
  const body = { endpoint: found.endpoint, key: keys["p256dh"], auth: keys["auth"], zone };
  const headers = { "content-type": "application/json" };
  const sent = { method: "POST", headers, body: JSON.stringify(body) };
  return (await fetch("/messages/push", sent)).ok;
}
