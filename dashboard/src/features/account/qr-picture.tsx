import { useMemo } from 'react';
import { qrCode } from './qr-code.ts';

/** Four empty modules on each side, or cameras do not find it. */
const QUIET = 4;

export function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const matrix = useMemo(() => qrCode(text), [text]);
  if (matrix === null) return null;
  const size = matrix.length + 2 * QUIET;
  const path = matrix
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
