import { UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { destinations } from './areas.ts';
import classes from './frame.module.css';

/** The bottom bar on phones: the first four destinations, and Menu for the rest. */
export function BottomBar({ onMenu }: { onMenu: () => void }) {
  const session = useSession();
  const shown = destinations.filter(({ where, isFor }) => where === 'main' && (isFor?.(session) ?? true)).slice(0, 4);
  return (
    <nav className={classes.bottom} aria-label="Main, at the bottom">
      {shown.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className={classes.bottomLink} activeOptions={{ exact: to === '/' }}>
          <Icon size={20} aria-hidden="true" />
          {label}
        </Link>
      ))}
      <UnstyledButton className={classes.bottomLink} onClick={onMenu}>
        <Menu size={20} aria-hidden="true" />
        Menu
      </UnstyledButton>
    </nav>
  );
}
