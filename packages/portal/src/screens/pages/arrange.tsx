import { createContext, type ReactNode, useContext } from 'react';
import type { Widget, WidgetContext } from '../../parts/widgets/widget-shape.ts';

/** What became of a widget, and what was done, in words. */
export type Change = (next: Widget, label: string) => void;

/** What the parts of the editor share. */
export interface Arrange {
  /** Where widgets are drawn. */
  readonly context: WidgetContext;
  readonly isHome: boolean;
  /** Asks for a widget, or changes one; `onDone` gets what came of it. */
  readonly ask: (widget: Widget | undefined, onDone: (widget: Widget) => void) => void;
  /** Arranges what stands inside a widget: boards hold groups, and groups boards. */
  readonly arrangeInside: (widget: Widget, onChange: Change) => ReactNode;
  /** The widget that was moved last, which keeps the focus. */
  readonly moved: { current: string | undefined };
}

const Arranging = createContext<Arrange | undefined>(undefined);

export const ArrangeProvider = Arranging.Provider;

/** Only within the editor of a page. */
export function useArrange(): Arrange {
  const arrange = useContext(Arranging);
  if (!arrange) throw new Error('Widgets are arranged within the editor of a page');
  return arrange;
}
