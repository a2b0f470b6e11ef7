import { lazy, Suspense, useEffect, useState } from 'react';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** Loads the palette when it is first opened. */
export function PaletteHost(props: { isOpen: boolean; onClose: () => void }) {
  const [wasOpen, setWasOpen] = useState(false);
  useEffect(() => {
    if (props.isOpen) setWasOpen(true);
  }, [props.isOpen]);
  if (!wasOpen && !props.isOpen) return null;
  return (
    <Suspense fallback={null}>
      <Palette {...props} />
    </Suspense>
  );
}
