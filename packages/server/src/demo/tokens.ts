/** `length` characters of `alphabet` that depend only on `seed`: commit hashes and run ids look random and stay the same. */
function seededText(seed: string, length: number, alphabet: string): string {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    // One step of mulberry32: short, and good enough for text that only has to look mixed.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    text += alphabet.charAt(((mixed ^ (mixed >>> 14)) >>> 0) % alphabet.length);
  }
  return text;
}

export function commitHash(seed: string): string {
  return seededText(seed, 40, '0123456789abcdef');
}

export function runId(seed: string): string {
  return `r_${seededText(seed, 16, 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789')}`;
}
