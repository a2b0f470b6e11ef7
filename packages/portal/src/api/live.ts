import type { LiveChange } from '@portolan/contract/live';
import { useSyncExternalStore } from 'react';

/**
 * State of the live stream: `resting` before the first connection and while the page is hidden, `open`, or `lost` since
 * a time; without an open stream the screens only poll.
 */
export type LiveState =
  | { readonly kind: 'resting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'lost'; readonly since: number };

/** The changes; undefined if too many happened to list. */
export type LiveNews = readonly LiveChange[] | undefined;

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

let heard = 0;

/** How often changes were heard so far: what begins now has all of those before it. */
export function heardSoFar(): number {
  return heard;
}

export function publishLive(news: LiveNews, isCatchUp: boolean): void {
  heard += 1;
  for (const listener of [...listeners]) listener(news, isCatchUp);
}

/** Subscribes to changes; returns the unsubscribe function. */
export function onLive(listener: LiveListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
