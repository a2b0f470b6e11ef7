type First = 'session' | 'parts';

declare global {
  /** Answers that the page asked for by itself, before any script of the portal ran. */
  var portolanFirst: Partial<Record<First, Promise<Response | undefined>>> | undefined;
}

/** Later a screen reads anew, for example when the page was open at an invitation before. */
const freshMs = 30_000;

/** A first answer, once; undefined if the page did not ask, and where the server could not be reached. */
export function takeFirst(name: First): Promise<Response | undefined> | undefined {
  const first = globalThis.portolanFirst;
  const asked = performance.now() < freshMs ? first?.[name] : undefined;
  if (first) delete first[name];
  return asked;
}

/** After a change, such as a sign-in, what was asked before may be somebody else's. */
export function dropFirst(): void {
  globalThis.portolanFirst = undefined;
}
