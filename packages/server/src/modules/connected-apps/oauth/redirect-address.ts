import { isIPv4 } from 'node:net';

const lengthMax = 500;
/** Schemes of editors that open their own addresses; other programs use one with a dot (RFC 8252 §7.1). */
const editorSchemes = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'vscodium:', 'windsurf:', 'zed:']);

/** Why an app may not be answered at an address; undefined if it may. */
export function redirectProblem(text: string): string | undefined {
  if (text.length > lengthMax) return `is longer than ${lengthMax} characters`;
  // what a browser repairs silently could lead elsewhere than where it was compared
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\') || !URL.canParse(text)) return 'is not an address';
  const { protocol, username, password } = new URL(text);
  if (text.includes('#')) return 'must have no fragment';
  if (username !== '' || password !== '') return 'must have no user name';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:') return isLoopback(text) ? undefined : 'must be https, or http on the same machine';
  const isOfProgram = editorSchemes.has(protocol) || /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol);
  return isOfProgram ? undefined : 'must be https, http on the same machine, or of a scheme of the program';
}

/** A program on the machine of the browser (RFC 8252 §7.3). */
export function isLoopback(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'http:') return false;
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}

/** Whether an address was registered: letter by letter, but for the port of a program on the same machine. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (redirectProblem(asked) !== undefined) return false;
  return registered.includes(asked) || (isLoopback(asked) && registered.some((each) => isSameBesidesPort(each, asked)));
}

function isSameBesidesPort(registered: string, asked: string): boolean {
  return isLoopback(registered) && withoutPort(registered) === withoutPort(asked);
}

function withoutPort(text: string): string {
  const url = new URL(text);
  url.port = '';
  return url.href;
}

/** What people are shown of it: its host, or the scheme of a program. */
export function shownHost(text: string): string {
  const { protocol, host } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1);
}
