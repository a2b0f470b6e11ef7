import { createContext, type ReactNode, useContext } from 'react';
import type { Widget, WidgetContext } from '../../parts/widgets/widget-shape.ts';

/** Reports the changed widget with a label for undo. */
export type Change = (next: Widget, label: string) => void;

/** Context shared by the parts of the editor. */
export interface Arrange {
  /** The context for rendering widgets. */
  readonly context: WidgetContext;
  readonly isHome: boolean;
  /** Opens the dialog for new widgets or an existing one; `onDone` gets the result. */
  readonly ask: (widget: Widget | undefined, onDone: (widgets: readonly Widget[]) => void) => void;
  /** Renders the editor for nested widgets: boards hold groups, and groups hold boards. */
  readonly arrangeInside: (widget: Widget, onChange: Change) => ReactNode;
  /** The last moved widget, which keeps the focus. */
  readonly moved: { current: string | undefined };
}

const Arranging = createContext<Arrange | undefined>(undefined);

export const ArrangeProvider = Arranging.Provider;

/** Only valid inside the page editor. */
export function useArrange(): Arrange {
  const arrange = useContext(Arranging);
  if (!arrange) throw new Error('Widgets are arranged within the editor of a page');
  return arrange;
}
