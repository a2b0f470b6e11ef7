import { shorten } from '../value/stringify.ts';
import { type JqValue, jqType } from '../value/value.ts';
import { Raised } from './run.ts';

/** A jq error with a text as its value. */
export function raise(message: string): Raised {
  return new Raised(message);
}

/** The form of most jq messages: kind, shortened value, complaint. */
export function raiseAbout(value: JqValue, complaint: string): Raised {
  return new Raised(`${jqType(value)} (${shorten(value)}) ${complaint}`);
}

export function raiseAboutTwo(left: JqValue, right: JqValue, complaint: string): Raised {
  return new Raised(`${jqType(left)} (${shorten(left)}) and ${jqType(right)} (${shorten(right)}) ${complaint}`);
}
