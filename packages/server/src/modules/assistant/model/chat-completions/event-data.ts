export interface EventDataReader {
  push(text: string): void;
}

/** Longest line and event kept in memory: more than a step may hold, yet fast to parse. */
export const eventCharactersMax = 2 * 1024 * 1024;

/**
 * Emits the data of each server-sent event in order, at the empty line after it. Handles all three line ends, a byte
 * order mark, comments, other fields and multi-line data per the standard; an unfinished event is dropped.
 * @throws Error from `push` if a line or an event is too long
 */
export function createEventDataReader(onData: (data: string) => void): EventDataReader {
  let rest = '';
  let data: string | undefined;
  let isFirst = true;
  let isAfterReturn = false;

  const take = (line: string): void => {
    if (line === '') {
      if (!data) return;
      const whole = data;
      data = undefined;
      onData(whole);
    } else if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5);
      data = data === undefined ? value : `${data}\n${value}`;
      if (data.length > eventCharactersMax) throw tooLong();
    }
  };

  return {
    push(added) {
      let text = added;
      if (isFirst && text !== '') {
        isFirst = false;
        if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      }
      if (isAfterReturn || text.includes('\r')) {
        if (text === '') return;
        const endsInReturn = text.endsWith('\r');
        text = (isAfterReturn && text.startsWith('\n') ? text.slice(1) : text).replace(/\r\n?/g, '\n');
        isAfterReturn = endsInReturn;
      }
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        const piece = text.slice(start, end);
        take(rest === '' ? piece : rest + piece);
        rest = '';
        start = end + 1;
      }
      rest += start === 0 ? text : text.slice(start);
      if (rest.length > eventCharactersMax) throw tooLong();
    },
  };
}

function tooLong(): Error {
  return new Error(`The provider sent an event of more than ${eventCharactersMax} characters`);
}
