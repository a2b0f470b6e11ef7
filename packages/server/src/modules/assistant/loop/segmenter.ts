import { createInlineMarks } from './inline-marks.ts';

/** Shortest segment that ends a paragraph, except the last (assistant reference §2.8.5). */
const segmentCharactersMin = 200;
/** Shortest segment that ends a sentence. */
export const sentenceCharactersMin = 40;
/** Longest delay of words that wait for the end of their sentence. */
export const sentenceMs = 400;

/** Splits growing text into the segments of `execution` events. */
export interface Segmenter {
  /** Adds text and returns the segments it completed, if any. */
  push(text: string): readonly string[] | undefined;
  /** The remaining text as the last segment; undefined if empty. */
  end(): string | undefined;
}

const fenceLine = /^\s*(`{3,}|~{3,})(.*)$/;
/**
 * Some readers join events with line breaks, so no segment may start with characters that begin a list, table or
 * heading.
 */
const wordStart = /[\p{L}"'“‘(`]/u;
/** Characters that decide the kind of a line. */
const headLength = 12;
const recentLength = 12;
/** Marks a line whose start was cut off: it was prose. */
const inProse = 'prose';
const sentenceEnd = /[.!?…][)\]"'’”*_]*\s+$/;

/**
 * A segment ends after blank lines, in prose after a sentence, or after a word once 400 ms have passed; the blank stays
 * with it. Never inside a fence, heading, table or open Markdown. Text that starts with a brace, bracket or fence is
 * one segment: programs parse such answers, and some readers join events with line breaks. The segments joined are the
 * text.
 */
export function createSegmenter(now: () => number = () => performance.now()): Segmenter {
  /** Text not in a segment yet. Inspected only at cuts, so that every character costs the same. */
  let text = '';
  /** Start of the current line; negative if it was cut off. */
  let line = 0;
  let lineText = '';
  let lineHead = '';
  let recent = '';
  let fence: string | undefined;
  let isBlank = true;
  let isWhole = false;
  let isStarted = false;
  let isAfterBlank = false;
  /** The last position between words where a cut splits nothing. */
  let wordEnd = 0;
  let cutAt = 0;
  const marks = createInlineMarks();

  const cut = (at: number, segments: string[]): void => {
    segments.push(text.slice(0, at));
    text = text.slice(at);
    line -= at;
    wordEnd = 0;
    cutAt = now();
  };

  const start = (more: string): boolean => {
    isBlank &&= more.trim() === '';
    if (isBlank) return false;
    const first = text.trimStart();
    if (/^[`~]{1,2}$/.test(first)) return false;
    isWhole = /^(\{|\[|`{3}|~{3})/.test(first);
    return true;
  };

  /** Reads a character of prose, and cuts before it at the end of a sentence. */
  const takeProse = (sign: string, at: number, segments: string[]): void => {
    if (at > 0 && recent.endsWith(' ') && wordStart.test(sign) && marks.isPlain()) {
      wordEnd = at;
      const isSentence = sentenceEnd.test(recent) && !/\p{Ll}/u.test(sign);
      if (isSentence && at >= sentenceCharactersMin) cut(at, segments);
    }
    if (lineHead.length < headLength) lineHead += sign;
    marks.take(sign, line < 0 ? inProse : lineHead);
  };

  const endLine = (next: number): void => {
    const found = line < 0 ? null : fenceLine.exec(lineText);
    marks.take('\n', '');
    if (fence === undefined) {
      if (found) fence = found[1]!;
      else if (lineText.trim() === '') {
        isAfterBlank = true;
        marks.reset();
      }
    } else if (found && found[1]!.startsWith(fence) && found[2]!.trim() === '') {
      fence = undefined;
      marks.reset();
    }
    line = next;
    lineText = '';
    lineHead = '';
  };

  return {
    push(pushed) {
      if (text === '' && !isStarted) cutAt = now();
      text += pushed;
      if (isWhole) return undefined;
      let more = pushed;
      if (!isStarted) {
        isStarted = start(pushed);
        if (!isStarted || isWhole) return undefined;
        more = text;
      }
      const segments: string[] = [];
      let lineFrom = 0;
      for (let index = 0; index < more.length; index++) {
        const sign = more[index] as string;
        // the cut waits for the next line, so that all blank lines end the segment
        if (isAfterBlank && sign !== '\n') {
          isAfterBlank = false;
          if (line >= segmentCharactersMin) cut(line, segments);
        }
        const at = text.length - more.length + index;
        if (sign === '\n') {
          lineText += more.slice(lineFrom, index);
          lineFrom = index + 1;
          endLine(at + 1);
        } else if (fence === undefined) takeProse(sign, at, segments);
        recent = (recent + sign).slice(-recentLength);
      }
      lineText += more.slice(lineFrom);
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
