import { useRef, useState } from 'react';
import { t } from '../../kit/translate.ts';
import type { Widget } from '../widgets/widget-shape.ts';
import type { Change } from './arrange.tsx';

/** The widget that was picked up by keys, the board as it was then, and what was last said about it. */
export function usePicked(board: Widget, onChange: Change) {
  const [picked, setPicked] = useState<string>();
  const [told, tell] = useState('');
  const before = useRef<Widget>(board);
  return {
    picked,
    told,
    tell,
    toggle(id: string, name: string, place: string) {
      if (picked === id) {
        setPicked(undefined);
        tell(t('{name} dropped: {place}', { name, place }));
        return;
      }
      before.current = board;
      setPicked(id);
      tell(
        t('{name} picked up: {place}. Arrows move, Shift and arrows resize, Enter drops, Escape restores.', {
          name,
          place,
        }),
      );
    },
    putBack(name: string) {
      if (picked === undefined) return;
      setPicked(undefined);
      if (before.current !== board) onChange(before.current, t('Put {name} back', { name }));
      tell(t('{name} is back in its place', { name }));
    },
  };
}
