/** An event before encoding. A string is sent as text, anything else as JSON on one line. */
export interface SseEvent {
  /** Absent if nothing resumes after it. */
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

/**
 * The bytes of one event as the strictest known readers need them: fields in the order id, event, data, one blank
 * after each colon, LF only, one `data` line per line of a text with the blank even when it is empty, and an empty
 * line after the last (assistant reference §2.8). A carriage return cannot travel in this format, so line ends of
 * other kinds become LF.
 */
export function encodeSseEvent({ id, event, data }: SseEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${payload(data)}\n\n`;
}

function payload(data: unknown): string {
  if (typeof data !== 'string') return JSON.stringify(data);
  const text = data.includes('\r') ? data.replace(/\r\n?/g, '\n') : data;
  return text.includes('\n') ? text.replaceAll('\n', '\ndata: ') : text;
}

/** A comment that readers ignore; it keeps proxies from cutting a silent connection. */
export const heartbeat = ': ping\n\n';

/** The first one of a stream is padded to 2 KiB, which pushes what came before through proxies that buffer (assistant reference §2.10). */
export const firstHeartbeat = `: ping${' '.repeat(2048 - heartbeat.length)}\n\n`;
