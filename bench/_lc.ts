import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble'
import { Document } from '@langchain/core/documents'
import { createRandom } from '../src/random.ts'
import { zipfianWords } from './generated.ts'
import { rankScore } from '../fusion/rank-score.ts'
const r=createRandom(1), words=zipfianWords(r)
function q(){const texts=new Map<string,string>(); const get=(d)=>{if(!texts.has(d))texts.set(d,words(100));return texts.get(d)!}
 return Array.from({length:3},(_,l)=>{const ids=[...Array.from({length:50},(_,i)=>'doc-1234-'+i),...Array.from({length:50},(_,i)=>`doc-1234-${l}-${i}`)].map(d=>({d,k:r.float()})).sort((a,b)=>a.k-b.k).map(x=>x.d)
 return {retriever:'bm25',subQuery:{text:'s',stage:1},hits:ids.map((d,i)=>({docid:d,score:30-i*.2-r.float()*.1,rank:i+1,document:{docid:d,text:get(d)}}))}})}
const J=Array.from({length:8},()=>JSON.stringify(q()))
const which=process.argv[2]
const rs=rankScore(), e=new EnsembleRetriever({retrievers:[],weights:[1/3,1/3,1/3]})
const t:number[]=[]
for(let i=0;i<4000;i++){
 const ls=JSON.parse(J[i%8]!)
 if(which==='lc'||which==='lcid'){const d=ls.map(l=>l.hits.map(h=>new Document({pageContent:which==='lc'?h.document.text:h.docid,metadata:{}}))); const s=performance.now(); await e._weightedReciprocalRank(d); if(i>1000)t.push(performance.now()-s)}
 else {if(which==='nodoc')for(const l of ls)for(const h of l.hits)delete h.document; const s=performance.now(); rs.fuse(ls); if(i>1000)t.push(performance.now()-s)}
}
t.sort((a,b)=>a-b);console.log(which,(t[t.length>>1]!*1000).toFixed(1),(t[Math.floor(t.length*.95)]!*1000).toFixed(1))
