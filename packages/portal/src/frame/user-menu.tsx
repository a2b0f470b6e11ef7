import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight, Check, Contrast, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useSession, useSignOut } from '../api/session.ts';
import { Initials } from '../kit/initials.tsx';
import { Menu } from '../kit/menu.tsx';
import { t } from '../kit/translate.ts';
import { chooseTheme, onThemeChoice, themeChoice, themeChoices, themeNames } from '../theme/color-scheme.ts';
import { userMenuItems } from './areas.ts';
import { useEnter } from './demo-organization.ts';
import classes from './frame.module.css';

const themeIcons = { auto: Monitor, light: Sun, dark: Moon, 'contrast-light': Contrast, contrast: Contrast } as const;

/** Name and role, the user's own screens, and sign-out. */
export function UserMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const session = useSession();
  const { otherOrganization: other } = session;
  const enter = useEnter();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const chosen = useSyncExternalStore(onThemeChoice, themeChoice);
  const name = session.user?.name || session.user?.email || t('Credentials of the organization');
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.user}>
          <Initials name={name} size={28} />
          <VisuallyHidden>{t('User menu of {name}', { name })}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.userHead}>
          <Text fw={600} size="sm">
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {session.roles.join(', ')} · {session.organization.name}
          </Text>
        </div>
        <Menu.Divider />
        {other && (
          <Menu.Item leftSection={<ArrowLeftRight size={16} />} onClick={() => void enter(other.id)}>
            {t('Switch to {name}', { name: other.name })}
          </Menu.Item>
        )}
        {userMenuItems.map(({ label, icon: Icon, to }) => (
          <Menu.Item key={to} leftSection={<Icon size={16} />} onClick={() => void navigate({ to })}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<Keyboard size={16} />} onClick={onShortcuts}>
          {t('Keyboard shortcuts')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('Theme')}</Menu.Label>
        {themeChoices.map((choice) => {
          const Icon = themeIcons[choice];
          return (
            <Menu.Item
              key={choice}
              role="menuitemradio"
              aria-checked={chosen === choice}
              leftSection={<Icon size={16} />}
              rightSection={chosen === choice ? <Check size={16} /> : null}
              onClick={() => chooseTheme(choice)}
            >
              {themeNames[choice]}
            </Menu.Item>
          );
        })}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => void signOut()}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
