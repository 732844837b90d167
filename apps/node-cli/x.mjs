const { leanStories, runLeanChain } = await import('@tutti/ethereum/lean');
for (const name of process.argv[2].split(',')) for (const slots of process.argv[3].split(',')) {
 const t=process.cpuUsage(); const r=runLeanChain({...leanStories[name], slots:+slots});
 console.log(name, slots, (process.cpuUsage(t).user/1e6).toFixed(1)+'s cpu', 'J', r.justificationLag.mean.toFixed(2), 'F', r.finalityLag.mean.toFixed(2), r.finalityLag.most, 'late', r.lateBlocks, r.refused, (process.memoryUsage().rss/1e6).toFixed(0)+'MB');
}
