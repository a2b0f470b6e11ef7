import { isRecord } from '@portolan/contract/json-value';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export interface BoundedOutput {
  readonly full: string;
  readonly bounded: string;
}

/**
 * Limits a tool's result to a number of bytes and marks it. A page (an object with an array) loses items from its end
 * and stays valid JSON; other text is cut between code points.
 */
export function boundOutput(content: unknown, bytesMax: number): BoundedOutput {
  const full = typeof content === 'string' ? content : (JSON.stringify(content) ?? 'null');
  if (!isLonger(full, bytesMax)) return { full, bounded: full };
  return { full, bounded: shortenPage(content, bytesMax) ?? cutText(full, bytesMax) };
}

function isLonger(text: string, bytesMax: number): boolean {
  if (text.length > bytesMax) return true;
  return text.length * 3 > bytesMax && byteLength(text) > bytesMax;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Limits text to `bytesMax` bytes, between code points, including the marker. */
function cutText(text: string, bytesMax: number): string {
  const marker = `\n[cut: ${byteLength(text)} bytes in all]`;
  return sliceBytes(text, bytesMax - marker.length) + marker;
}

/** The longest prefix within the bytes that ends between code points. */
export function sliceBytes(text: string, bytesMax: number): string {
  if (bytesMax <= 0) return '';
  const target = new Uint8Array(bytesMax);
  const { written } = encoder.encodeInto(text, target);
  return decoder.decode(target.subarray(0, written));
}

/** Splits text between code points into pieces of at most this many bytes; empty text is one empty piece. */
export function splitBytes(text: string, bytesMax: number): string[] {
  if (text.length * 3 <= bytesMax || byteLength(text) <= bytesMax) return [text];
  const pieces: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const piece = sliceBytes(rest, bytesMax);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}

function shortenPage(content: unknown, bytesMax: number): string | undefined {
  if (!isRecord(content)) return undefined;
  const lists = Object.entries(content).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const longest = lists.sort((a, b) => b[1].length - a[1].length)[0];
  if (!longest) return undefined;
  const [key, items] = longest;
  const note = (kept: number): string =>
    `shows ${kept} of ${items.length} ${key}; ask for a smaller page or fewer properties`;
  const empty = JSON.stringify({ ...content, [key]: [], truncated: note(items.length) });
  let room = bytesMax - byteLength(empty);
  let kept = 0;
  for (const item of items) {
    room -= byteLength(JSON.stringify(item) ?? 'null') + 1;
    if (room < 0) break;
    kept++;
  }
  if (kept === 0) return undefined;
  return JSON.stringify({ ...content, [key]: items.slice(0, kept), truncated: note(kept) });
}

/**
 * Encloses tool output in two lines with this invocation's random mark. The system prompt declares the content as data.
 * Text inside cannot close the fence: where it knows the mark, from a call that carried it out, it is taken out of it.
 */
export function fenceOutput(text: string, mark: string): string {
  return `<<tool-output ${mark}>>\n${breakMark(text, mark)}\n<<end ${mark}>>`;
}

/** Text that cannot close a fence, even if it knows the mark: a conversation keeps its mark for a long time. */
export function breakMark(text: string, mark: string): string {
  return text.replaceAll(mark, '…');
}

/** The context of a question as the model is shown it, beside the question and fenced like tool output. */
export function fenceContext(context: Readonly<Record<string, unknown>>, mark: string): string {
  return `Context of the question:\n${fenceOutput(JSON.stringify(context), mark)}`;
}

export function fenceNotes(notes: readonly string[], mark: string): string {
  return `Notes that the person keeps. You cannot write them: if asked to remember something, say that it is offered as a note beside your answer.\n${fenceOutput(JSON.stringify(notes), mark)}`;
}

export function unfenceOutput(text: string): string {
  const match = /^<<tool-output (\S+)>>\n([\s\S]*)\n<<end \1>>$/.exec(text);
  return match ? match[2]! : text;
}
