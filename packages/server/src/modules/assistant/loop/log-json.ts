/** Ends shortened text. */
export const cutMark = ' [cut: the log has a size limit]';

const pieceCharacters = 512;

/**
 * JSON of a text in at most so many bytes (100 or more): of a longer one the start and a mark. Cost is proportional to
 * the result.
 */
export function jsonText(text: string, bytesMax: number): string {
  // JSON has at least as many bytes as the text has characters
  if (text.length <= bytesMax - 2) {
    const whole = toLogJson(text);
    if (Buffer.byteLength(whole) <= bytesMax) return whole;
  }
  const room = bytesMax - 2 - cutMark.length;
  let kept = '';
  let bytes = 0;
  let length = pieceCharacters;
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, endOfPiece(text, at + length));
    const json = JSON.stringify(piece).slice(1, -1).replaceAll('`', '\\u0060');
    const more = Buffer.byteLength(json);
    if (bytes + more <= room) {
      kept += json;
      bytes += more;
      at += piece.length;
    } else if (length === 1) break;
    else length = Math.max(1, length >> 3);
  }
  return `"${kept}${cutMark}"`;
}

/** JSON without three back ticks in a row, which would end the surrounding fence; they are escaped. */
export function toLogJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('```', '\\u0060\\u0060\\u0060');
}

/** Never between surrogates. */
function endOfPiece(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
