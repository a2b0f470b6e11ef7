import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { sessionOptions, useSession } from '../api/session.ts';
import { useToast } from '../kit/toasts.tsx';
import { t } from '../kit/translate.ts';
import { AskForAccess } from '../parts/access/ask-for-access.tsx';
import { chooseTheme, themeChoices, themeNames } from '../theme/color-scheme.ts';
import { areaCommands, destinations } from './areas.ts';
import { BottomBar } from './bottom-bar.tsx';
import { CommandProvider, useCommands } from './commands.tsx';
import { DemoBar } from './demo-bar.tsx';
import { RailDrawer, ShortcutSheet } from './dialogs.tsx';
import { takeEarlyKeys } from './early-keys.ts';
import classes from './frame.module.css';
import { OfflineBar } from './offline-bar.tsx';
import { Palette } from './palette.tsx';
import { RightPanel, usePanel } from './panel.tsx';
import { Rail } from './rail.tsx';
import { Screens } from './screens.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { useTitle } from './title.ts';
import { TopBar, useToggleAssistant } from './top-bar.tsx';
import { useLiveUpdates } from './use-live-updates.ts';

/** The frame around every screen of a signed-in user. */
export function Frame() {
  const { data: session } = useQuery(sessionOptions);
  if (!session) return <SignInAgain />;
  return (
    <CommandProvider>
      <AskForAccess>
        <FrameBody />
      </AskForAccess>
      <SignInAgain />
    </CommandProvider>
  );
}

function FrameBody() {
  const [isRailOpen, rail] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  const [early, setEarly] = useState(takeEarlyKeys);
  const [isPaletteOpen, palette] = useDisclosure(early !== undefined, { onClose: () => setEarly(undefined) });
  useFrameCommands({ openPalette: palette.open, openHelp: help.open });
  useScreenTitle();
  useFocusOnScreens();
  useLiveUpdates();
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        {t('Skip to the content')}
      </a>
      <TopBar onSearch={palette.open} onHelp={help.open} onMenu={rail.open} />
      <DemoBar />
      <OfflineBar />
      <div className={classes.middle}>
        <Rail />
        <main className={classes.content} id="content" tabIndex={-1}>
          <Suspense fallback={null}>
            <Screens />
          </Suspense>
        </main>
        <RightPanel />
      </div>
      <BottomBar onMenu={rail.open} />
      <RailDrawer isOpen={isRailOpen} onClose={rail.close} />
      <ShortcutSheet isOpen={isHelpOpen} onClose={help.close} />
      <Palette isOpen={isPaletteOpen} onClose={palette.close} initial={early ?? ''} />
    </div>
  );
}

/** Titles the tab from the screen's declaration until the screen sets a more specific title. */
function useScreenTitle(): void {
  const title = useRouterState({ select: ({ matches }) => matches.at(-1)?.staticData.title });
  useTitle(title);
}

/** Moves the focus to the new screen if the focused one is gone, so that Tab continues there. */
function useFocusOnScreens(): void {
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== undefined && before.current !== shown && document.activeElement === document.body) {
      document.getElementById('content')?.focus({ preventScroll: true });
    }
    before.current = shown;
  }, [shown]);
}

function useFrameCommands({ openPalette, openHelp }: { openPalette: () => void; openHelp: () => void }): void {
  const navigate = useNavigate();
  const session = useSession();
  const toast = useToast();
  const { open } = usePanel();
  const { toggle } = useToggleAssistant();
  const commands = useMemo(
    () => [
      { id: 'palette', label: t('Search and commands'), keys: 'mod+k', run: openPalette },
      { id: 'shortcuts', label: t('Keyboard shortcuts'), keys: '?', run: openHelp },
      { id: 'assistant', label: t('Ask the assistant'), keywords: 'ai chat question', keys: 'mod+/', run: toggle },
      { id: 'inbox', label: t('Open the inbox'), keys: 'g n', run: () => open('inbox') },
      { id: 'notices', label: t('Open notices'), keys: 'g o', run: () => open('notices') },
      // the address holds filter, sort, tab and panel
      { id: 'copy-link', label: t('Copy link to this page'), keys: 'shift+y', run: () => void copyAddress(toast) },
      ...destinations
        .filter(({ isFor }) => isFor?.(session) ?? true)
        .map(({ label, to, goKey, icon }) => ({
          id: `go ${to}`,
          label: t('Go to {label}', { label }),
          icon,
          ...(goKey ? { keys: `g ${goKey}` } : {}),
          run: () => void navigate({ to }),
        })),
      ...areaCommands.map(({ run, ...command }) => ({
        ...command,
        id: `area ${command.label}`,
        run: () => run(navigate),
      })),
      ...themeChoices.map((choice) => ({
        id: `theme ${choice}`,
        label: t('Theme: {themeNames}', { themeNames: themeNames[choice].toLowerCase() }),
        run: () => chooseTheme(choice),
      })),
    ],
    [navigate, openHelp, openPalette, open, toggle, session, toast],
  );
  useCommands(commands);
}

async function copyAddress(toast: ReturnType<typeof useToast>): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    toast(t('The link was copied'));
  } catch {
    toast({ text: t('The browser did not allow copying. Copy the address from the address bar.'), kind: 'failure' });
  }
}
