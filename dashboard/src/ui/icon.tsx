/** Line icons, 24 by 24, drawn for this dashboard. They decorate: what they stand beside says it in words. */
const PATHS = {
  overview: 'M4 19V5m0 14h16M8 15v-4m4 4V8m4 7v-5',
  emails:
    'M3.5 7.5 12 13l8.5-5.5M5 5.5h14A1.5 1.5 0 0 1 20.5 7v10a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17V7A1.5 1.5 0 0 1 5 5.5Z',
  compose: 'M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4',
  templates: 'M5 4h14v5H5V4Zm0 9h6v7H5v-7Zm10 0h4v7h-4v-7Z',
  domains: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm-8.5 8.5h17M12 3.5c5 5 5 12 0 17-5-5-5-12 0-17Z',
  sites: 'M4.5 4.500h15v6h-15v-6Zm0 9h15v6h-15v-6Zm3.500-6h.01M8 16.500h.01',
  suppressions: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM6 6l12 12',
  validation: 'M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6l7-3Zm-3 9 2.2 2.2L15.5 10',
  webhooks:
    'M9 9a3.5 3.5 0 1 1 5 3.2L16.5 17M9.5 12.5 7 17m-.2 0a2.6 2.6 0 1 0 2.4 2.6H17a2.6 2.6 0 1 0 0-2.6',
  received: 'M4 12v7.500h16V12M12 4v11m-4-4 4 4 4-4',
  inbox: 'M4 13l2.5-8h11L20 13v6H4v-6Zm0 0h5l1.2 2.5h3.6L15 13h5',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5v5M9 14.5v5',
  key: 'M8 20a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm3-7 9-9m-3.5 3.5 3 3m-6 0 2 2',
  members:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5c2 .7 3.2 2.5 3.5 5.5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-1.500L20.5 20.5',
  copy: 'M9 9h10.500v10.500H9V9ZM15 9V4.500H4.500V15H9',
  check: 'm5 12.5 4.5 4.500L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-5v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.400m0-12.800L17 7M7 17l-1.4 1.4',
  moon: 'M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500Z',
  system: 'M4 5h16v11H4V5Zm5 15h6m-3-4v4',
  alert: 'M12 4 2.8 19.500h18.400L12 4Zm0 6v4.500m0 2.500h.01',
  plus: 'M12 5v14M5 12h14',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l.8 13h8.400L17 7m-7 4v5.500m4-5.500v5.5',
  refresh: 'M19.5 8A8 8 0 1 0 20 13m-.5-9v4.500H15',
  download: 'M12 4v11m-4.5-4L12 15.5 16.5 11M5 20h14',
  book: 'M5 4.500h11a3 3 0 0 1 3 3V20H8a3 3 0 0 1-3-3V4.500Zm0 12.500a2.5 2.5 0 0 1 2.5-2.500H19',
  sandbox: 'M4 8.5 12 4l8 4.500v7L12 20l-8-4.500v-7Zm0 0 8 4.500m0 0 8-4.500M12 13v7',
  out: 'M10 4.500H5v15h5M14 8l4 4-4 4m4-4H9',
  deliverability: 'M4 17a8 8 0 1 1 16 0M12 17l3.500-6',
  logs: 'M5 6h14M5 12h14M5 18h9',
  hold: 'M8.500 5v14M15.500 5v14',
  undo: 'M9 6.500 4.500 11 9 15.500M5 11h9.500a4.500 4.500 0 0 1 0 9H11',
  more: 'M5.500 12h.01M12 12h.01M18.500 12h.01',
  arrow: 'M5 12h14m-5-5 5 5-5 5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 17 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#c2410c" />
      <path
        d="M7 11.5 16 18l9-6.5M8.5 9h15A1.5 1.5 0 0 1 25 10.500v11a1.5 1.5 0 0 1-1.5 1.500h-15A1.5 1.5 0 0 1 7 21.500v-11A1.5 1.5 0 0 1 8.5 9Z"
        fill="none"
        stroke="#fff"
        strokeWidth="2"
        strokeLinejoin="round"
      />
    </svg>
  );
}
