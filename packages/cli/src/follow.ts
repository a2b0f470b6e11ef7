import type { Context } from './context.ts';
import { printable } from './output.ts';

const pollMs = 1_000;

export interface FollowOptions<State> {
  readonly isOver: (state: State) => boolean;
  /** What people read of a state; told whenever it is another. */
  readonly textOf: (state: State) => string;
  readonly read: () => Promise<State>;
}

/**
 * Looks at something that the server does until it is over, and tells how far it is. Ctrl-C stops looking, which is
 * answered with undefined; the server goes on.
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
