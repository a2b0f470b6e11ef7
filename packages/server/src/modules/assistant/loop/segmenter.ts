/** No segment but the last is shorter (assistant reference §2.8.5). */
export const segmentCharactersMin = 200;

/** Cuts a growing text into the segments that are sent as `execution` events. */
export interface Segmenter {
  /** Takes more of the text; gives the segments it completed, if any. */
  push(text: string): readonly string[] | undefined;
  /** The rest, which is the last segment; nothing if there is none. */
  end(): string | undefined;
}

const fenceLine = /^\s*(`{3,}|~{3,})(.*)$/;

/**
 * A segment ends at the blank lines it is followed by, never inside a code fence. A text that starts with a brace, a
 * bracket or a fence is one segment: programs parse such answers, and some readers join events with line breaks.
 * Joined without anything between them, the segments are the text.
 */
export function createSegmenter(): Segmenter {
  let text = '';
  /** Start of the first line that was not looked at. */
  let line = 0;
  let fence: string | undefined;
  let isWhole = false;
  let isStarted = false;
  let isAfterBlank = false;

  const cut = (at: number, segments: string[]): void => {
    segments.push(text.slice(0, at));
    text = text.slice(at);
    line -= at;
  };

  return {
    push(more) {
      text += more;
      if (isWhole) return undefined;
      if (!isStarted) {
        const first = text.trimStart();
        if (first === '') return undefined;
        if (/^[`~]{1,2}$/.test(first)) return undefined;
        isStarted = true;
        isWhole = /^(\{|\[|`{3}|~{3})/.test(first);
        if (isWhole) return undefined;
      }
      if (!more.includes('\n') && !isAfterBlank) return undefined;
      const segments: string[] = [];
      for (;;) {
        // the cut waits for the line after the blank ones, so that all of them end the segment
        if (isAfterBlank && line < text.length && text[line] !== '\n') {
          isAfterBlank = false;
          if (line >= segmentCharactersMin) cut(line, segments);
        }
        const end = text.indexOf('\n', line);
        if (end < 0) break;
        const content = text.slice(line, end);
        line = end + 1;
        const marks = fenceLine.exec(content);
        if (fence === undefined) {
          if (marks) fence = marks[1]!;
          else if (content.trim() === '') isAfterBlank = true;
        } else if (marks && marks[1]!.startsWith(fence) && marks[2]!.trim() === '') fence = undefined;
      }
      return segments.length > 0 ? segments : undefined;
    },
    end() {
      const rest = text;
      text = '';
      return rest === '' ? undefined : rest;
    },
  };
}
