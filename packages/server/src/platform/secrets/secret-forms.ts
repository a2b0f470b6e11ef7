import { isBareAddress, isOrdinary } from './ordinary.ts';

/** Shorter values are indistinguishable from other text. */
const shortest = 4;
/** Shorter values are not searched in base64 and hex, where they match by chance. */
const shortestEncoded = 6;
/** Shortest part of a secret that counts. */
const shortestPart = 8;
/** Separators of the parts of a secret. */
const separators = /[/:@?&=#,;|\s"'<>()[\]{}]+/;
/** Longer values are searched in pieces, so that a part is found too. */
const longest = 512;
const pieceLength = 64;

/** All forms to search for: the value and its parts, each in every encoding. */
export function secretForms(value: string): Set<string> {
  const forms = new Set<string>();
  for (const each of secretsIn(value)) {
    if (isLong(each)) for (const piece of splitPieces(each)) addForms(forms, piece);
  }
  for (const form of forms) if (!isLong(form)) forms.delete(form);
  return forms;
}

function isLong(text: string): boolean {
  return text.trim().length >= shortest;
}

function secretsIn(value: string): Set<string> {
  const found = new Set<string>();
  const text = value.trim();
  if (isBareAddress(text)) return found;
  const leaves = parseLeaves(text);
  if (leaves) {
    for (const leaf of leaves) for (const each of secretsIn(leaf)) found.add(each);
    return found;
  }
  found.add(value).add(text);
  for (const part of namedParts(text)) found.add(part);
  for (const part of text.split(separators)) {
    if (part.length >= shortestPart && !isOrdinary(part)) found.add(part);
  }
  for (const part of [...found]) {
    for (const plain of [decoded(part), fromBase64(part)]) if (plain) found.add(plain);
  }
  return found;
}

/** Values in password positions, whatever they look like: `user:password@host`, `token=…`, `Bearer …`. */
function namedParts(text: string): string[] {
  const userInfo = /^[a-z][a-z\d+.-]*:\/\/[^/?#@]*?:([^/?#]+)@/i.exec(text)?.[1];
  const named = text.matchAll(/(?:secret|token|passw(?:or)?d|pwd|key|sig|signature|auth|code)=([^&#\s]+)/gi);
  const scheme = /^(?:Bearer|Basic|Token|Bot|ApiKey)\s+(\S+)$/i.exec(text)?.[1];
  return [userInfo, scheme, ...[...named].map((match) => match[1])].flatMap((part) => part || []);
}

/** Texts inside a secret that is JSON: a service account key, headers by name. */
function parseLeaves(text: string): string[] | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return textsIn(JSON.parse(text), '');
  } catch {
    return undefined;
  }
}

const secretName = /secret|token|passw|pwd|key|signature|auth|cookie|credential|session/i;

/** Skips ordinary words under ordinary names, such as a content type. */
function textsIn(value: unknown, name: string): string[] {
  if (typeof value === 'string') return secretName.test(name) || !isOrdinaryText(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, name));
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => textsIn(item, key))
    : [];
}

function isOrdinaryText(text: string): boolean {
  return text.split(separators).every(isOrdinary);
}

/** Decodes base64 text such as `user:password`, and the password alone. */
function fromBase64(text: string): string | undefined {
  if (!/^[A-Za-z\d+/_-]{12,}={0,2}$/.test(text)) return undefined;
  const plain = Buffer.from(text, 'base64').toString('utf8');
  return /^[\x20-\x7e\s]+$/.test(plain) ? plain.slice(plain.indexOf(':') + 1) : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function splitPieces(value: string): string[] {
  if (value.length <= longest) return [value];
  const pieces = Array.from({ length: Math.ceil(value.length / pieceLength) }, (_, at) => {
    // the last piece has full length, overlapping the one before
    const start = Math.min(at * pieceLength, value.length - pieceLength);
    return value.slice(start, start + pieceLength);
  });
  return pieces.filter((piece) => piece.trim().length >= shortestPart);
}

function addForms(forms: Set<string>, given: string): void {
  // unpaired surrogates, which no encoding has
  const value = given.replace(/\p{Cs}/gu, '\ufffd');
  const written = [value, ...urlForms(value), ...jsonForms(value), ...htmlForms(value)];
  for (const form of written) forms.add(form);
  // hosts appear in lower case
  if (value.length >= shortestPart) forms.add(value.toLowerCase());
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length < shortestEncoded) return;
  const hex = bytes.toString('hex');
  forms.add(hex).add(hex.toUpperCase());
  for (const form of base64Forms(bytes)) forms.add(form).add(form.replaceAll('+', '-').replaceAll('/', '_'));
}

/** Percent-encoded as in paths, queries and forms, in either case. */
function urlForms(value: string): string[] {
  const component = encodeURIComponent(value);
  const strict = component.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', value]]).toString().slice(1);
  const url = new URL('http://host');
  url.pathname = value;
  url.search = value;
  const asUrl = [url.pathname.slice(1), url.search.slice(1), component.replaceAll("'", '%27')];
  const all = [component, strict, encodeURI(value), form, strict.replaceAll('%20', '+'), ...asUrl];
  return all.flatMap((each) => [each, each.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())]);
}

/** Escaped as JSON, once and twice, with slashes escaped, and ASCII only. */
function jsonForms(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const ascii = (text: string, pattern: RegExp): string =>
    text.replace(pattern, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [
    once,
    JSON.stringify(once).slice(1, -1),
    once.replaceAll('/', '\\/'),
    ascii(once, /[^\x20-\x7e]/g),
    ascii(once, /[^\x20-\x7e]|[<>&']/g),
  ];
}

function htmlForms(value: string): string[] {
  const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = escaped.replaceAll('"', '&quot;');
  return [escaped, quoted, ...['&#39;', '&#x27;', '&apos;'].map((quote) => quoted.replaceAll("'", quote))];
}

/**
 * The stable base64 characters of the bytes at each of the three alignments, so that a secret within another encoded
 * text, such as `user:secret`, is found.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const firstOwn = before === 0 ? 0 : before + 1;
    return text.slice(firstOwn, Math.floor(((before + bytes.length) * 8) / 6));
  });
}
