import { hasNoCookie } from '../api/session-cookie.ts';

/** What was typed for the palette before the frame was there to open it; undefined if nobody asked for it. */
let heard: string | undefined;

const fields = 'input, textarea, select, [contenteditable="true"]';

function listen(event: KeyboardEvent): void {
  const isMod = event.ctrlKey || event.metaKey;
  if (heard === undefined) {
    if (!isMod || event.key.toLowerCase() !== 'k') return;
    heard = '';
  } else if (isMod || (event.target as Element | null)?.closest?.(fields)) {
    return;
  } else if (event.key === 'Escape') {
    heard = undefined;
  } else if (event.key === 'Backspace') {
    heard = heard.slice(0, -1);
  } else if (event.key.length === 1) {
    heard += event.key;
  } else {
    return;
  }
  event.preventDefault();
}

/** Listens from the first script on, so that the palette loses no key while the page still loads. */
export function listenEarly(): void {
  if (!hasNoCookie()) window.addEventListener('keydown', listen);
}

/** Hands what was typed over to the frame, which listens from now on. */
export function takeEarlyKeys(): string | undefined {
  window.removeEventListener('keydown', listen);
  const taken = heard;
  heard = undefined;
  return taken;
}
