import { useEffect, useRef } from 'react';
import { t } from '../kit/translate.ts';

/** A shortcut: `mod+k`, `?`, `shift+enter`, or a sequence such as `g c`. */
export type Keys = string;

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform ?? '');
const sequenceMs = 1200;

/** The pressed key in the notation of a shortcut; `mod` is Command on a Mac and Control elsewhere. */
export function pressed(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  mac = isMac,
): Keys {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  const names = [
    (mac ? event.metaKey : event.ctrlKey) ? 'mod' : '',
    event.altKey ? 'alt' : '',
    // symbols such as `?` already imply shift
    event.shiftKey && (key.length > 1 || /[a-z]/.test(key)) ? 'shift' : '',
    key,
  ];
  return names.filter(Boolean).join('+');
}

/** Whether the focus is in a text field, where single keys are input. */
function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return Boolean(
    element?.closest?.(
      'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"], [role="textbox"], .cm-editor',
    ),
  );
}

const singleKeysKey = 'portolan-single-keys';

export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(singleKeysKey) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(singleKeysKey, isOn ? 'on' : 'off');
}

export interface Shortcut {
  readonly keys: Keys;
  readonly run: (event: KeyboardEvent) => void;
}

/** Matches a key press: a single key, or the last key of a sequence. */
export function createSequencer(now: () => number = () => performance.now()) {
  let previous = { key: '', at: Number.NEGATIVE_INFINITY };
  return (key: Keys, known: readonly Keys[]): Keys | undefined => {
    const isRecent = now() - previous.at < sequenceMs;
    const sequence = isRecent ? `${previous.key} ${key}` : '';
    const hit = known.find((each) => each === sequence) ?? known.find((each) => each === key);
    previous = hit ? { key: '', at: Number.NEGATIVE_INFINITY } : { key, at: now() };
    return hit;
  };
}

/** Runs shortcuts while the component is mounted. Single keys never fire while typing, and can be turned off. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    const complete = createSequencer();
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const key = pressed(event);
      const isSingle = !key.includes('mod+') && !key.includes('alt+');
      if (isSingle && (isTyping(event.target) || !hasSingleKeys())) return;
      // an open modal dialog handles its own keys
      if (isSingle && document.querySelector('dialog[open], [role="dialog"][aria-modal="true"]')) return;
      const hit = complete(
        key,
        current.current.map(({ keys }) => keys),
      );
      const shortcut = current.current.find(({ keys }) => keys === hit);
      if (!shortcut) return;
      event.preventDefault();
      shortcut.run(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

/** A shortcut as people read it: `Ctrl K`, `⌘ K`, `G then C`. */
export function spell(keys: Keys, mac = isMac): string {
  const one = (part: string) =>
    part
      .split('+')
      .map((name) => {
        if (name === 'mod') return mac ? '⌘' : t('Ctrl');
        return name.length === 1 ? name.toUpperCase() : name[0]?.toUpperCase() + name.slice(1);
      })
      .join(' ');
  return keys.split(' ').map(one).join(' then ');
}
