/** The page that says when somebody is told: the time zone of the reader, and this browser as one that is told. */

export function startMessages(): void {
  const page = document.querySelector<HTMLElement>("[data-messages]");
  if (page === null) return;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const field of page.querySelectorAll<HTMLInputElement>("input[name=zone]")) {
    field.value = zone;
  }
  const button = page.querySelector<HTMLButtonElement>("[data-push]");
  const state = page.querySelector<HTMLElement>("[data-push-state]");
  if (button !== null && state !== null) void offer(button, state, zone);
  const end = page.querySelector<HTMLFormElement>("form[data-push-end]");
  end?.addEventListener("submit", (event) => {
    event.preventDefault();
    // Else this browser would say at once again how it is reached.
    void forget().finally(() => end.submit());
  });
}

async function offer(button: HTMLButtonElement, state: HTMLElement, zone: string): Promise<void> {
  const say = (what: "on" | "denied" | "failed"): void => {
    state.textContent = button.dataset[`said${what[0]?.toUpperCase()}${what.slice(1)}`] ?? "";
    button.hidden = true;
  };
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    say("failed");
    return;
  }
  if (Notification.permission === "denied") {
    say("denied");
    return;
  }
  const known = await navigator.serviceWorker.getRegistration("/");
  if ((await known?.pushManager.getSubscription()) && (await told(zone))) {
    say("on");
    return;
  }
  // Only whoever asks for it is asked by the browser.
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

/** Nothing reaches this browser any more. */
async function forget(): Promise<void> {
  const known = await navigator.serviceWorker?.getRegistration("/");
  await (await known?.pushManager.getSubscription())?.unsubscribe();
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
