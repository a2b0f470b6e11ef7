const loopback = /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

/** Whether the address is one that only this machine can open. */
export function isThisMachine(url: URL): boolean {
  return loopback.test(url.hostname);
}
