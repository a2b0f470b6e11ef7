import {
  ActionIcon,
  type ActionIconProps,
  Anchor,
  type AnchorProps,
  Badge,
  type BadgeProps,
  Button,
  type ButtonProps,
  type MenuItemProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Menu } from '../kit/menu.tsx';

type Drawn<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>;

/** Links in the look of the kit, type-checked against the routes. */
export const ActionIconLink = createLink((props: Drawn<ActionIconProps>) => <ActionIcon component="a" {...props} />);
export const AnchorLink = createLink((props: Drawn<AnchorProps>) => <Anchor {...props} />);
export const BadgeLink = createLink((props: Drawn<BadgeProps>) => <Badge component="a" {...props} />);
export const ButtonLink = createLink((props: Drawn<ButtonProps>) => <Button component="a" {...props} />);
export const MenuItemLink = createLink((props: Drawn<MenuItemProps>) => <Menu.Item component="a" {...props} />);
