import type { View } from './view.ts';

export interface SavedView {
  readonly name: string;
  readonly view: View;
}

const most = 30;

/** Table views saved in this browser, per user and page. */
export function savedViews(person: string, page: string): readonly SavedView[] {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey(person, page)) ?? '[]') as unknown;
    return Array.isArray(kept) ? (kept as SavedView[]) : [];
  } catch {
    return [];
  }
}

/** @throws if storage is disabled or full */
export function saveView(person: string, page: string, saved: SavedView): void {
  const others = savedViews(person, page).filter(({ name }) => name !== saved.name);
  localStorage.setItem(storageKey(person, page), JSON.stringify([saved, ...others].slice(0, most)));
}

export function forgetView(person: string, page: string, name: string): void {
  localStorage.setItem(
    storageKey(person, page),
    JSON.stringify(savedViews(person, page).filter((each) => each.name !== name)),
  );
}

function storageKey(person: string, page: string): string {
  return `portolan-views:${person}:${page}`;
}
