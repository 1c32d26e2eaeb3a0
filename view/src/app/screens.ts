// The screens, in the order of the navigation. A screen is one folder of screens/ and one line here.
import type { ComponentType } from 'preact';
import type { Has } from '../data/types';
import { DiffScreen } from '../screens/diff/screen';
import { FlameScreen } from '../screens/flame/screen';
import { FunctionsScreen } from '../screens/functions/screen';
import { GraphScreen } from '../screens/graph/screen';
import { MemoryScreen } from '../screens/memory/screen';
import { OverviewScreen } from '../screens/overview/screen';
import { RanksScreen } from '../screens/ranks/screen';
import { ScalingScreen } from '../screens/scaling/screen';
import { SourceScreen } from '../screens/source/screen';
import { TimelineScreen } from '../screens/timeline/screen';
import { WaitsScreen } from '../screens/waits/screen';

export interface Screen {
  readonly id: string;
  readonly title: string;
  readonly key: string; // that shows it
  readonly component: ComponentType;
  readonly fills: boolean; // its picture takes the whole height
  readonly hasData: (has: Has, profiles: number) => boolean;
}

const always = () => true;

export const SCREENS: readonly Screen[] = [
  { id: 'overview', title: 'Overview', key: '1', component: OverviewScreen, fills: false, hasData: always },
  { id: 'functions', title: 'Functions', key: '2', component: FunctionsScreen, fills: true, hasData: always },
  { id: 'flame', title: 'Flame', key: '3', component: FlameScreen, fills: true, hasData: (has) => has.paths },
  {
    id: 'graph',
    title: 'Call graph',
    key: '4',
    component: GraphScreen,
    fills: true,
    hasData: (has) => has.paths,
  },
  { id: 'source', title: 'Source', key: '5', component: SourceScreen, fills: true, hasData: always },
  { id: 'ranks', title: 'Ranks', key: '6', component: RanksScreen, fills: true, hasData: (has) => has.ranks },
  {
    id: 'timeline',
    title: 'Timeline',
    key: '7',
    component: TimelineScreen,
    fills: true,
    hasData: (has) => has.time || has.counters || has.regions,
  },
  {
    id: 'memory',
    title: 'Memory',
    key: '8',
    component: MemoryScreen,
    fills: false,
    hasData: (has) => has.memory,
  },
  {
    id: 'waits',
    title: 'Waits',
    key: '9',
    component: WaitsScreen,
    fills: false,
    hasData: (has) => has.waits,
  },
  {
    id: 'scaling',
    title: 'Scaling',
    key: '0',
    component: ScalingScreen,
    fills: false,
    hasData: (_, profiles) => profiles > 1,
  },
  {
    id: 'diff',
    title: 'Compare',
    key: '-',
    component: DiffScreen,
    fills: true,
    hasData: (_, profiles) => profiles > 1,
  },
];
