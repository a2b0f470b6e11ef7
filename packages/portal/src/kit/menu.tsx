import type { Menu as KitMenu, MenuProps } from '@mantine/core';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import {
  type Floating,
  fetchEarly,
  floating,
  splitTarget,
  Target,
  useFloating,
  useTakenOver,
  withHandlers,
} from './floating.ts';

type Parts = Pick<
  typeof KitMenu,
  'CheckboxItem' | 'Divider' | 'Dropdown' | 'Item' | 'Label' | 'RadioGroup' | 'RadioItem' | 'Target'
>;

/** The kit's menu. Until it is first opened it is its button alone, and nothing else of it is drawn. */
function LazyMenu({ children, ...menu }: MenuProps) {
  const { target, others } = splitTarget(children);
  const { opened } = menu;
  const { kit, load, button, hadFocus } = useFloating(target, opened);
  if (kit) {
    return (
      <UsedMenu {...menu} kit={kit} takesFocus={hadFocus} target={target}>
        {others}
      </UsedMenu>
    );
  }
  const press = () => (opened === undefined ? load() : menu.onChange?.(true));
  return withHandlers(
    target,
    { onClick: press, onPointerEnter: fetchEarly, onFocus: fetchEarly },
    { ref: button, 'aria-haspopup': 'menu', 'aria-expanded': false },
  );
}

interface UsedMenuProps extends MenuProps {
  readonly kit: Floating;
  readonly takesFocus: boolean;
  readonly target: ReactElement;
}

function UsedMenu({ kit, takesFocus, target, children, opened, onChange, ...menu }: UsedMenuProps) {
  const [isOpen, setOpen] = useState(true);
  const { button, isReady } = useTakenOver(target, takesFocus);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it comes because it opens
  useEffect(() => menu.onOpen?.(), []);
  const change = (isNowOpen: boolean) => {
    setOpen(isNowOpen);
    onChange?.(isNowOpen);
  };
  return (
    <kit.Menu {...menu} opened={isReady && (opened ?? isOpen)} onChange={change}>
      <kit.Menu.Target>{button}</kit.Menu.Target>
      {children}
    </kit.Menu>
  );
}

/** A part of the kit's menu, which is there whenever a menu is open. */
const part = (name: Exclude<keyof Parts, 'Target'>) =>
  function MenuPart(props: object): ReactNode {
    const Part = floating().Menu[name] as (props: object) => ReactElement;
    return <Part {...props} />;
  };

export const Menu = Object.assign(LazyMenu, {
  CheckboxItem: part('CheckboxItem'),
  Divider: part('Divider'),
  Dropdown: part('Dropdown'),
  Item: part('Item'),
  Label: part('Label'),
  RadioGroup: part('RadioGroup'),
  RadioItem: part('RadioItem'),
  Target,
}) as unknown as ((props: MenuProps) => ReactElement) & Parts;
