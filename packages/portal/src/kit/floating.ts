import { useMergedRef } from '@mantine/hooks';
import {
  Children,
  cloneElement,
  isValidElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useLoaded } from './use-loaded.ts';

export type Floating = typeof import('./floating-rendered.ts');

let loaded: Floating | undefined;

/** Menus, tips and what else floats above the page: a third of the kit, loaded when somebody first reaches for one. */
export async function loadFloating(): Promise<Floating> {
  loaded ??= await import('./floating-rendered.ts');
  return loaded;
}

/** Begins to load at the pointer or the focus, so that the press finds it there. */
export function fetchEarly(): void {
  void loadFloating().catch(() => undefined);
}

/** What `loadFloating` brought. Only what is drawn within something open may rely on it. */
export function floating(): Floating {
  if (!loaded) throw new Error('A part of a menu is drawn outside of one: use the menu of kit/menu.tsx');
  return loaded;
}

/** Says what opens a menu or a popover; they draw it. */
export function Target(_: { children: ReactElement }): ReactNode {
  return null;
}

/** What opens it, and what is drawn beside that. */
export function splitTarget(children: ReactNode): { target: ReactElement; others: ReactNode[] } {
  const all = Children.toArray(children);
  const isTarget = (child: ReactNode): child is ReactElement<{ children: ReactElement }> =>
    isValidElement(child) && child.type === Target;
  const target = all.find(isTarget);
  if (!target) throw new Error('What floats needs a target');
  return { target: target.props.children, others: all.filter((child) => child !== target) };
}

type Handler = (event: never) => void;

/** The element with more attributes; a handler of its own runs before the one it is given. */
export function withHandlers(
  element: ReactElement,
  handlers: Readonly<Record<string, Handler>>,
  attributes: Readonly<Record<string, unknown>>,
): ReactElement {
  const own = element.props as Readonly<Record<string, ((event: SyntheticEvent) => void) | undefined>>;
  const chained = Object.entries(handlers).map(([name, handler]) => [
    name,
    (event: SyntheticEvent) => {
      own[name]?.(event);
      handler(event as never);
    },
  ]);
  return cloneElement(element as ReactElement<object>, { ...attributes, ...Object.fromEntries(chained) });
}

/**
 * What floats, once it was asked for or is `opened` from outside, and whether the plain button that it replaces then
 * (`button`) had the focus.
 */
export function useFloating(target: ReactElement, opened?: boolean) {
  const plain = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  const [kit, load] = useLoaded(async () => {
    const parts = await loadFloating();
    hadFocus.current = plain.current !== null && plain.current === document.activeElement;
    return parts;
  });
  const button = useMergedRef(plain, (target.props as { ref?: Ref<HTMLElement> }).ref ?? null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening asks for it
  useEffect(() => {
    if (opened && !kit) void load();
  }, [opened]);
  return { kit, load: () => void load(), button, hadFocus: hadFocus.current };
}

/** The button of what has replaced a plain one, with the focus that this had, and whether it stands and may open. */
export function useTakenOver(target: ReactElement, takesFocus: boolean): { button: ReactElement; isReady: boolean } {
  const place = useRef<HTMLElement>(null);
  const ref = useMergedRef(place, (target.props as { ref?: Ref<HTMLElement> }).ref ?? null);
  const [isReady, setReady] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes
  useLayoutEffect(() => {
    if (takesFocus) place.current?.focus({ preventScroll: true });
    setReady(true);
  }, []);
  return { button: withHandlers(target, {}, { ref }), isReady };
}
