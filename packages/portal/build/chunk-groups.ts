const fromPackages = (...names: readonly string[]): RegExp =>
  new RegExp(`[\\\\/]node_modules[\\\\/](${names.join('|')})[\\\\/]`);

const kit = fromPackages(
  '@mantine',
  '@floating-ui',
  'react-remove-scroll',
  'react-textarea-autosize',
  'react-number-format',
);
/** What forms are made of, beside plain inputs and menus. */
const formParts =
  /[\\/](@mantine[\\/]form|react-number-format|react-textarea-autosize|components[\\/](Combobox|Select|MultiSelect|TagsInput|Autocomplete|Pill|PillsInput|NumberInput|PasswordInput|Textarea|FileInput|FileButton|Radio|Slider|Chip|SegmentedControl|FloatingIndicator|Switch))[\\/]/;
/** Editors, charts and conversations: large, and loaded where they are shown. */
const heavy =
  /[\\/]parts[\\/](ai|mapping|definition|actions)[\\/]|-rendered\.tsx?$|\.worker\.ts|shortcut-sheet|rail-drawer/;
const shared = /[\\/]packages[\\/]portal[\\/]src[\\/](api|frame|kit|parts|theme)[\\/]/;
const forms =
  /[\\/]src[\\/]parts[\\/](entity-form[\\/]|action-form|form-|field-|entity-picker|nothing-to-pick|enum-choices|structured-field|jq-field|seal-input|icon-select)/;
const entities =
  /[\\/]src[\\/]parts[\\/]entities[\\/]|[\\/]src[\\/]kit[\\/]data-table|[\\/]@tanstack[\\/](react-virtual|virtual-core|react-table|table-core)[\\/]/;
const isLight = (id: string): boolean => shared.test(id) && !heavy.test(id);

/**
 * Which modules become one file. Without groups every module that two screens share is a file of its own, and a screen
 * begins with a hundred of them, in waves. Higher priorities take their modules, and what those import, first.
 */
export const chunkGroups = [
  { name: 'react', test: fromPackages('react', 'react-dom', 'scheduler'), priority: 90 },
  { name: 'styles', test: /\.module\.css$/, priority: 85 },
  {
    name: 'router',
    test: (id: string) => /[\\/]@tanstack[\\/]/.test(id) && !entities.test(id),
    minShareCount: 2,
    priority: 80,
  },
  { name: 'icons', test: fromPackages('lucide-react'), minShareCount: 2, priority: 80 },
  { name: 'kit', test: (id: string) => kit.test(id) && !formParts.test(id), minShareCount: 12, priority: 70 },
  { name: 'kit-forms', test: formParts, minShareCount: 2, priority: 69 },
  { name: 'kit-more', test: kit, minShareCount: 2, priority: 68 },
  {
    name: 'parts',
    test: (id: string) => isLight(id) && !forms.test(id) && !entities.test(id),
    minShareCount: 10,
    priority: 50,
  },
  // what stands around every screen: fetched apart from the screen, and always
  {
    name: 'frame',
    test: /[\\/]src[\\/](frame[\\/]rail-(arranged|own)|parts[\\/]sidebar[\\/]|api[\\/]live-stream)/,
    priority: 49,
  },
  { name: 'entities', test: entities, priority: 45 },
  { name: 'forms', test: forms, priority: 44 },
  {
    name: 'widgets',
    test: (id: string) => /[\\/]src[\\/]parts[\\/]widgets[\\/]/.test(id) && !heavy.test(id),
    priority: 43,
  },
  { name: 'parts-more', test: isLight, minShareCount: 3, priority: 40 },
];
