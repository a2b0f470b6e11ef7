import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleHelp, Inbox, Menu as MenuIcon, Search, Sparkles } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { Tooltip } from '../kit/tooltip.tsx';
import { t } from '../kit/translate.ts';
import { lastAssistant } from './assistant-memory.ts';
import classes from './frame.module.css';
import { useInboxCount } from './inbox-count.ts';
import { spell } from './keys.ts';
import { NoticesButton } from './notices-button.tsx';
import { usePanel } from './panel.tsx';
import { PanelButton } from './panel-button.tsx';
import { topEntries, useArea } from './rail-areas.ts';
import { UserMenu } from './user-menu.tsx';

/** The bar above every screen. */
export function TopBar({ onSearch, onHelp, onMenu }: { onSearch: () => void; onHelp: () => void; onMenu: () => void }) {
  const session = useSession();
  const { top } = useArea();
  return (
    <header className={classes.top}>
      <ActionIcon className={classes.menuButton ?? ''} aria-label={t('Menu')} onClick={onMenu} size={32}>
        <MenuIcon size={20} />
      </ActionIcon>
      <Link to="/" className={classes.logo} aria-label={t('Portolan, home')}>
        <span className={classes.mark} aria-hidden="true" />
        <span className={classes.logoText}>Portolan</span>
      </Link>
      <nav className={classes.main} aria-label={t('Main')}>
        {topEntries(session).map(({ to, label, area }) => (
          <Link
            key={label}
            to={to}
            className={classes.mainLink}
            activeOptions={{ exact: true }}
            data-present={area === top || undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <UnstyledButton className={classes.search} onClick={onSearch}>
        <Search size={16} aria-hidden="true" />
        <span className={classes.searchText}>{t('Search')}</span>
        <Kbd className={classes.searchKeys ?? ''} size="xs">
          {spell('mod+k')}
        </Kbd>
      </UnstyledButton>
      <AskButton />
      <InboxButton />
      <NoticesButton />
      <Tooltip label={t('Keyboard shortcuts')}>
        <ActionIcon
          className={classes.helpButton ?? ''}
          aria-label={t('Keyboard shortcuts')}
          onClick={onHelp}
          size={32}
        >
          <CircleHelp size={20} />
        </ActionIcon>
      </Tooltip>
      <UserMenu onShortcuts={onHelp} />
    </header>
  );
}

export function useToggleAssistant(): { isShown: boolean; toggle: () => void } {
  const { open, close, shown } = usePanel();
  const isShown = shown?.startsWith('assistant~') ?? false;
  return { isShown, toggle: () => (isShown ? close() : open('assistant', lastAssistant())) };
}

function AskButton() {
  const { isShown, toggle } = useToggleAssistant();
  return (
    <Tooltip label={t('Ask the assistant ({spell})', { spell: spell('mod+/') })}>
      <ActionIcon aria-label={t('Ask the assistant')} aria-expanded={isShown} onClick={toggle} size={32}>
        <Sparkles size={20} />
      </ActionIcon>
    </Tooltip>
  );
}

function InboxButton() {
  const { count } = useInboxCount();
  const label = count > 0 ? t('Inbox, {count} waiting for you', { count }) : t('Inbox');
  return <PanelButton panel="inbox" label={label} icon={Inbox} count={count} />;
}
