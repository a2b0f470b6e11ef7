import type { Context } from './context.ts';
import { printable } from './output.ts';

const pollMs = 1_000;

export interface FollowOptions<State> {
  readonly isOver: (state: State) => boolean;
  /** The state in words; printed whenever it changes. */
  readonly textOf: (state: State) => string;
  readonly read: () => Promise<State>;
}

/**
 * Polls a server process until it is over and prints its progress. Ctrl-C stops polling and returns undefined; the
 * server process continues.
 */
export async function follow<State>(
  { err, wait, onInterrupt }: Context,
  first: State,
  { isOver, textOf, read }: FollowOptions<State>,
): Promise<State | undefined> {
  let isInterrupted = false;
  const forget = onInterrupt(() => {
    isInterrupted = true;
  });
  try {
    let state = first;
    for (let said = ''; !isOver(state); state = await read()) {
      const text = textOf(state);
      if (text !== said) err.write(printable(text, err));
      said = text;
      if (isInterrupted) return undefined;
      await wait(pollMs);
    }
    return state;
  } finally {
    forget();
  }
}
