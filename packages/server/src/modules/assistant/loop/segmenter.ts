import { createInlineMarks } from './inline-marks.ts';

/** No segment that ends a paragraph is shorter, but for the last (assistant reference §2.8.5). */
export const segmentCharactersMin = 200;
/** No segment that ends a sentence is shorter. */
export const sentenceCharactersMin = 40;
/** How long words of a sentence wait for its end. */
export const sentenceMs = 400;

/** Cuts a growing text into the segments that are sent as `execution` events. */
export interface Segmenter {
  /** Takes more of the text; gives the segments it completed, if any. */
  push(text: string): readonly string[] | undefined;
  /** The rest, which is the last segment; nothing if there is none. */
  end(): string | undefined;
}

const fenceLine = /^\s*(`{3,}|~{3,})(.*)$/;
/** Some readers join events with line breaks: what is a list, a table or a heading at the start of a line begins none. */
const wordStart = /[\p{L}"'“‘(`]/u;
const sentenceEnd = /[.!?…][)\]"'’”*_]*\s+$/;

/**
 * A segment ends at the blank lines it is followed by, and in prose after a sentence, or after a word once 400 ms have
 * passed; the blank stays with it. Never inside a code fence, heading, table or anything of Markdown that is open. A text
 * that starts with a brace, a bracket or a fence is one segment: programs parse such answers, and some readers join events
 * with line breaks. Joined without anything between them, the segments are the text.
 */
export function createSegmenter(now: () => number = () => performance.now()): Segmenter {
  let text = '';
  /** Start of the first line that was not looked at whole; before the text where its beginning was cut off. */
  let line = 0;
  let fence: string | undefined;
  let isWhole = false;
  let isStarted = false;
  let isAfterBlank = false;
  /** The first character that was not looked at. */
  let scanned = 0;
  /** The last place between two words where a cut splits nothing. */
  let wordEnd = 0;
  let cutAt = 0;
  const marks = createInlineMarks();

  const cut = (at: number, segments: string[]): void => {
    segments.push(text.slice(0, at));
    text = text.slice(at);
    line -= at;
    scanned = Math.max(0, scanned - at);
    wordEnd = 0;
    cutAt = now();
  };

  /** Looks at prose up to a place, and cuts it after its sentences. */
  const scan = (to: number, segments: string[]): void => {
    let end = to;
    for (; scanned < end; scanned++) {
      const sign = text[scanned] as string;
      const isWordStart = scanned > 0 && text[scanned - 1] === ' ' && wordStart.test(sign);
      if (isWordStart && marks.isPlain()) {
        wordEnd = scanned;
        const isSentence = sentenceEnd.test(text.slice(Math.max(0, scanned - 12), scanned)) && !/\p{Ll}/u.test(sign);
        if (isSentence && scanned >= sentenceCharactersMin) {
          end -= scanned;
          cut(scanned, segments);
        }
      }
      marks.take(
        sign,
        line < 0 ? ` ${text.slice(0, scanned + 1)}` : text.slice(line, Math.min(scanned + 1, line + 12)),
      );
    }
  };

  return {
    push(more) {
      if (text === '' && !isStarted) cutAt = now();
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
      const segments: string[] = [];
      for (;;) {
        // the cut waits for the line after the blank ones, so that all of them end the segment
        if (isAfterBlank && line < text.length && text[line] !== '\n') {
          isAfterBlank = false;
          if (line >= segmentCharactersMin) cut(line, segments);
        }
        if (fence === undefined && !isAfterBlank) {
          const next = text.indexOf('\n', Math.max(line, 0));
          scan(next < 0 ? text.length : next, segments);
        }
        const end = text.indexOf('\n', Math.max(line, 0));
        if (end < 0) break;
        const isWholeLine = line >= 0;
        const content = text.slice(Math.max(line, 0), end);
        line = end + 1;
        scanned = line;
        marks.take('\n', '');
        const found = isWholeLine ? fenceLine.exec(content) : null;
        if (fence === undefined) {
          if (found) fence = found[1]!;
          else if (content.trim() === '') {
            isAfterBlank = true;
            marks.reset();
          }
        } else if (found && found[1]!.startsWith(fence) && found[2]!.trim() === '') {
          fence = undefined;
          marks.reset();
        }
      }
      if (wordEnd > 0 && now() - cutAt >= sentenceMs && fence === undefined) cut(wordEnd, segments);
      return segments.length > 0 ? segments : undefined;
    },
    end() {
      const rest = text;
      text = '';
      return rest === '' ? undefined : rest;
    },
  };
}
