/**
 * Key prefix for the text of asked questions, kept as long as the tab: the stream of an answer does not repeat the
 * question.
 */
const prefix = 'portolan-question ';

export function rememberQuestion(id: string, text: string): void {
  try {
    sessionStorage.setItem(prefix + id, text);
  } catch {
    // storage is full or disabled: the title of the invocation is shown instead
  }
}

export function rememberedQuestion(id: string): string | undefined {
  try {
    return sessionStorage.getItem(prefix + id) ?? undefined;
  } catch {
    return undefined;
  }
}

/** A unique identifier. `crypto.randomUUID` is missing on plain HTTP. */
export function newInvocationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
