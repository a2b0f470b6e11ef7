import { createContext, type ReactNode, useContext } from 'react';
import type { Widget, WidgetContext } from '../widgets/widget-shape.ts';
import type { Place } from './draft-tree.ts';

/** Reports the changed widget with a label for undo. */
export type Change = (next: Widget, label: string) => void;

/** Context shared by the parts of the editor. */
export interface Arrange {
  /** The context for rendering widgets. */
  readonly context: WidgetContext;
  /** The id of the widget whose form is open. */
  readonly edited: string | undefined;
  /** Opens the form of a widget beside the page. */
  readonly edit: (widget: Widget) => void;
  /** Opens the types of widgets beside the page; what is chosen goes to the place. */
  readonly add: (place: Place) => void;
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
