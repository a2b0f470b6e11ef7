import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core';

const indigo: MantineColorsTuple = [
  '#eef0ff',
  '#dfe1fe',
  '#c2c6fd',
  '#a5a8ff',
  '#8b8dfa',
  '#6366f1',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
  '#312e81',
];

/** Light surfaces in these colours say something, and are to be read by everybody: the kit's own are too pale. */
const meanings: Readonly<Record<string, string>> = {
  green: 'success',
  red: 'danger',
  yellow: 'warning',
  orange: 'warning',
  blue: 'info',
};

/** Sizes, type and colours of the parts; what differs by scheme is in tokens.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 4 },
  colors: { indigo },
  // what stands on the accent differs by scheme, which the kit cannot know
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input);
    const isAccent = input.variant === 'filled' && ['indigo', undefined].includes(input.color);
    if (isAccent) return { ...colours, color: 'var(--on-accent)' };
    const meaning = input.variant === 'light' ? meanings[input.color ?? ''] : undefined;
    if (!meaning) return colours;
    const background = `var(--${meaning}-subtle)`;
    return { ...colours, background, hover: background, color: `var(--${meaning})` };
  },
  fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.34', sm: '1.39', md: '1.43', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '14px', xl: '999px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '2rem' },
      h2: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h3: { fontSize: '1rem', lineHeight: '1.5rem' },
    },
  },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, events: { hover: true, focus: true, touch: false } } },
    Modal: {
      defaultProps: {
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.45 },
        radius: 'lg',
        centered: true,
        // its head stays when it scrolls, and what has the focus is not to lie under it
        styles: { content: { scrollPaddingBlockStart: '4rem' } },
      },
    },
    // long words end in an ellipsis, and never widen the page
    Button: { defaultProps: { maw: '100%' } },
    // a row has several of them, so that none stands out
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    // a list of options holds an option also while there is none to choose
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true, 'aria-selected': false } },
    // signs beside words say nothing of their own
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    Badge: { defaultProps: { radius: 'xs', variant: 'light' } },
  },
});
