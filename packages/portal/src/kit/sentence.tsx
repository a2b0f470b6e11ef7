import { cloneElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { fill, t, type Values } from './translate.ts';

interface SentenceProps {
  /** English, with placeholders and marks: `Saved <time/> by <strong>{name}</strong>`. */
  readonly text: string;
  readonly values?: Values;
  /** The elements of the marks; what is between `<strong>` and `</strong>` becomes the children of `strong`. */
  readonly parts: Readonly<Record<string, ReactElement>>;
}

/** A sentence with elements in it, as one text for whoever translates it. */
export function Sentence({ text, values, parts }: SentenceProps): ReactNode {
  const pieces: ReactNode[] = [];
  let end = 0;
  // values are filled in afterwards, so that a mark in what people wrote stays a text
  const translated = t(text);
  for (const { 0: mark, 1: name = '', 2: content, index } of translated.matchAll(/<(\w+)(?:\/>|>(.*?)<\/\1>)/g)) {
    const part = parts[name];
    if (!part) continue;
    pieces.push(fill(translated.slice(end, index), values));
    pieces.push(
      <Fragment key={index}>{content === undefined ? part : cloneElement(part, {}, fill(content, values))}</Fragment>,
    );
    end = index + mark.length;
  }
  return [...pieces, fill(translated.slice(end), values)];
}
