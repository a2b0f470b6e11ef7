import { useRef, useState } from 'react';
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
        tell(`${name} dropped: ${place}`);
        return;
      }
      before.current = board;
      setPicked(id);
      tell(`${name} picked up: ${place}. Arrows move, Shift and arrows resize, Enter drops, Escape restores.`);
    },
    putBack(name: string) {
      if (picked === undefined) return;
      setPicked(undefined);
      if (before.current !== board) onChange(before.current, `Put ${name} back`);
      tell(`${name} is back in its place`);
    },
  };
}
