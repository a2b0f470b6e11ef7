import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';

/** Loads a dialog when it first opens and keeps it mounted, so that closing it returns the focus. */
export function whenOpened<Props extends object>(
  load: () => Promise<ComponentType<Props & { isOpen: boolean }>>,
): ComponentType<Props & { isOpen: boolean }> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function WhenOpened(props: Props & { isOpen: boolean }) {
    const [wasOpen, setWasOpen] = useState(false);
    useEffect(() => {
      if (props.isOpen) setWasOpen(true);
    }, [props.isOpen]);
    if (!wasOpen && !props.isOpen) return null;
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
