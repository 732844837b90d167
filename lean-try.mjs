import { playLeanSlot, defaultLeanScenario, leanRivals } from '@tutti/simulation/lean';
for (const rival of leanRivals) {
  const t=performance.now();
  const { result } = playLeanSlot({ ...defaultLeanScenario, rival, ...(JSON.parse(process.argv[2]??'{}')) });
  console.log(rival.padEnd(14), JSON.stringify(result.covered), JSON.stringify(result.pooled), 'm',result.merges, 'l', result.leaves, JSON.stringify(result.proverSeconds, (k,v)=>typeof v==='number'?Math.round(v*10)/10:v), 'MB', Math.round(result.bytes/1e6), 'topic', result.proofsOnTopic, 'r', result.roundsToFull, JSON.stringify(result.twoThirdsMs), JSON.stringify(result.excluded), Math.round(performance.now()-t)+'ms', Math.round(process.memoryUsage().rss/1e6));
}
