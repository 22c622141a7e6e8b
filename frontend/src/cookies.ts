/** Cookies that scripts keep for a year. */

const YEAR = 365 * 24 * 3600;

/** What a cookie of ours is called: over HTTPS no other host may set it (`cookie_name` in `web/http/security.py`). */
export function cookieName(name: string, protocol: string = globalThis.location?.protocol): string {
  return protocol === "https:" ? `__Host-${name}` : name;
}

/** The content of a cookie among all those of a page. */
export function cookieOf(name: string, cookies: string = document.cookie): string | undefined {
  const begin = `${cookieName(name)}=`;
  return cookies.split(/;\s*/).find((cookie) => cookie.startsWith(begin))?.slice(begin.length);
}

/** Keeps a cookie. */
export function keepCookie(name: string, value: string): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${cookieName(name)}=${value}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
}
