import type { LiveChange } from '@portolan/contract/live';
import { useSyncExternalStore } from 'react';

/**
 * How the stream of changes stands: `resting` before it is first open, and while nobody looks at the page; `open`; or
 * `lost` since a moment, in which case what is shown is read anew by time alone.
 */
export type LiveState =
  | { readonly kind: 'resting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'lost'; readonly since: number };

/** What is told: changes, or undefined where more has changed than can be told. */
export type LiveNews = readonly LiveChange[] | undefined;

let state: LiveState = { kind: 'resting' };
const watchers = new Set<() => void>();
const listeners = new Set<(news: LiveNews) => void>();

export function setLiveState(next: LiveState): void {
  if (next.kind === state.kind) return;
  state = next;
  for (const watcher of [...watchers]) watcher();
}

export function liveState(): LiveState {
  return state;
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(watchLiveState, liveState);
}

export function watchLiveState(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function publishLive(news: LiveNews): void {
  for (const listener of [...listeners]) listener(news);
}

/** Calls back with what changes; returns how to stop. */
export function onLive(listener: (news: LiveNews) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
