import { isIPv4 } from 'node:net';

/** A base URL in its normal form, or what is wrong with it; the words never repeat it, as it may hold a secret. */
type BaseUrl = { readonly url: string } | { readonly fault: string };

/** Origin and path prefix without a trailing slash. */
export function parseBaseUrl(text: string): BaseUrl {
  // The parser of URLs repairs silently what is more likely a slip here.
  if (/[\s\\\p{Cc}]/u.test(text)) return { fault: 'holds whitespace, a backslash or a control character' };
  if (!/^https?:\/\/[^/]/.test(text)) return { fault: 'must be an http or https URL with a host' };
  if (!URL.canParse(text)) return { fault: 'is not a URL' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/.test(text)) {
    return {
      fault: 'holds a user name or password – credentials belong under `roles` or `connection.headers`',
    };
  }
  if (/[?#]/.test(text))
    return { fault: 'has a query or a fragment – leave out everything from `?` or `#` on' };
  return { url: url.origin + url.pathname.replace(/\/+$/, '') };
}

/** Whether a base URL stays on this machine: `localhost`, 127.0.0.0/8 or `::1`. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIPv4(hostname) && hostname.startsWith('127.');
}
