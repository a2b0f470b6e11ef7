/** A replaced range of a file, and the reason. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly after: string;
  readonly rule: string;
  readonly message: string;
}

/** A place in a file that needs a manual review. */
export interface FileNote {
  readonly start: number;
  readonly rule: string;
  readonly message: string;
  /** Whether the result certainly changes with the migration. */
  readonly breaks: boolean;
}

/** Applies edits and keeps everything else byte for byte. Of overlapping edits the first wins. */
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

/** Line and column of an offset, from 1. */
export function toPosition(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}
