/** One replaced range of a file, with why. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly after: string;
  readonly rule: string;
  readonly message: string;
}

/** A place of a file that a person has to look at. */
export interface FileNote {
  readonly start: number;
  readonly rule: string;
  readonly message: string;
  /** Whether something gives another result after the migration for certain. */
  readonly breaks: boolean;
}

/** The text with the edits made; everything else stays byte for byte. Of overlapping ones the first wins. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, after } of edits.slice().sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) continue;
    result += text.slice(at, start) + after;
    at = end;
  }
  return result + text.slice(at);
}

/** `line` and `column` of an offset, from 1. */
export function toPosition(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}
