import { UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { t } from '../kit/translate.ts';
import classes from './frame.module.css';
import { topEntries, useArea } from './rail-areas.ts';

/** The bottom bar on phones: the first four areas, and Menu for everything. */
export function BottomBar({ onMenu }: { onMenu: () => void }) {
  const session = useSession();
  const { top } = useArea();
  return (
    <nav className={classes.bottom} aria-label={t('Main, at the bottom')}>
      {topEntries(session)
        .slice(0, 4)
        .map(({ to, label, icon: Icon, area }) => (
          <Link
            key={label}
            to={to}
            className={classes.bottomLink}
            activeOptions={{ exact: true }}
            data-present={area === top || undefined}
          >
            <Icon size={20} aria-hidden="true" />
            {label}
          </Link>
        ))}
      <UnstyledButton className={classes.bottomLink} onClick={onMenu}>
        <Menu size={20} aria-hidden="true" />
        {t('Menu')}
      </UnstyledButton>
    </nav>
  );
}
