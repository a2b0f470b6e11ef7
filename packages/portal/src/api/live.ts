import { useSyncExternalStore } from 'react';
import { heardVersion, keepHeard, type LiveNews } from './heard-changes.ts';

/**
 * State of the live stream: `resting` before the first connection and while the page is hidden, `open`, or `lost` since
 * a time; without an open stream the screens only poll.
 */
export type LiveState =
  | { readonly kind: 'resting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'lost'; readonly since: number };

let state: LiveState = { kind: 'resting' };
const watchers = new Set<() => void>();
/** @param isCatchUp what changed after this page read its first answers, before the stream was open */
type LiveListener = (news: LiveNews, isCatchUp: boolean) => void;
const listeners = new Set<LiveListener>();

export function setLiveState(next: LiveState): void {
  if (next.kind === state.kind) return;
  state = next;
  for (const watcher of [...watchers]) watcher();
}

function liveState(): LiveState {
  return state;
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(watchLiveState, liveState);
}

function watchLiveState(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

let leaving = 0;

/** Whether the screen is about to be left because what it shows is being deleted: reading it again would fail. */
export function isBeingLeft(): boolean {
  return leaving > 0;
}

/** From now on nothing is read again because of a change, until the returned function is called. */
export function beginLeaving(): () => void {
  let isOver = false;
  leaving += 1;
  return () => {
    if (!isOver) leaving -= 1;
    isOver = true;
  };
}

export function publishLive(news: LiveNews, isCatchUp: boolean): void {
  keepHeard(news);
  for (const listener of [...listeners]) listener(news, isCatchUp);
}

/** Whoever reads anew because of a change has begun by then, and shows no sign of it. */
const drawMs = 50;

/** Draws anew soon after every change that is heard. */
export function useHeard(): void {
  useSyncExternalStore(watchHeard, heardVersion);
}

function watchHeard(draw: () => void): () => void {
  return onLive(() => void setTimeout(draw, drawMs));
}

/** Subscribes to changes; returns the unsubscribe function. */
export function onLive(listener: LiveListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
