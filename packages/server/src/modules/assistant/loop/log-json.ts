/** What stands at the end of a text of which something was left out. */
export const cutMark = ' [cut: the log has a size limit]';

const pieceCharacters = 512;

/** A text as JSON in at most so many bytes (100 or more): of a longer one the start, and a mark. Costs at most what it answers. */
export function jsonText(text: string, bytesMax: number): string {
  // as JSON a text has at least as many bytes as characters
  if (text.length <= bytesMax - 2) {
    const whole = jsonOf(text);
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

/** A value as JSON without three back ticks in a row, which would end the fence around it; as escapes they are the same. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('```', '\\u0060\\u0060\\u0060');
}

/** Never between the halves of a pair. */
function endOfPiece(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
