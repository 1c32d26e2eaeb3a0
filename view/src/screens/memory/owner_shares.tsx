// Whose memory it is: Python's, NumPy's, or that of other native code.
import type { Figure, MemoryOfRun } from '../../data/memory';
import { formatBytes, formatShare, shareOf } from '../../model/format';
import { Bar, type Piece } from '../../parts/bar';
import { ownersOf, type Owners } from './place_rows';

const ROWS: readonly (readonly [Figure, string])[] = [
  ['peak', 'At the peak'],
  ['live', 'Live at the end'],
  ['allocated', 'Allocated'],
];

export function ownerPieces(owners: Owners, whole: number): Piece[] {
  return [
    { id: 'python', share: shareOf(owners.python, whole) },
    { id: 'io', share: shareOf(owners.numpy, whole) },
    { id: 'native', share: shareOf(owners.native, whole) },
  ];
}

export function OwnerShares(props: { memory: MemoryOfRun }) {
  const { total } = props.memory;
  const rows = ROWS.filter(([figure]) => total[figure] > 0);
  if (rows.length === 0) return null;
  return (
    <table class="owner-shares">
      <caption>Whose memory it is</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">All</th>
          <th scope="col">
            <i class="owner-python" /> Python
          </th>
          <th scope="col">
            <i class="owner-numpy" /> NumPy
          </th>
          <th scope="col">
            <i class="owner-native" /> Native
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rows.map(([figure, words]) => {
          const owners = ownersOf(total, figure)!;
          return (
            <tr key={figure}>
              <th scope="row">{words}</th>
              <td>{formatBytes(total[figure])}</td>
              <td>{formatShare(shareOf(owners.python, total[figure]))}</td>
              <td>{formatShare(shareOf(owners.numpy, total[figure]))}</td>
              <td>{formatShare(shareOf(owners.native, total[figure]))}</td>
              <td class="owner-bar">
                <Bar pieces={ownerPieces(owners, total[figure])} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
