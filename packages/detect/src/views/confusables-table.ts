// Made by scripts/make-confusables.js from unhomoglyph 1.0.6 (Unicode TR39); do not edit.

/**
 * Characters that look like Latin letters. Each target is followed by its look-alikes as code
 * points, ascending, each written as the distance from the one before, in base 36.
 */
export const CONFUSABLES = `a: gg 1 8w a m 2n w 4 31y ez 1ff be o8 ac 4 pkk iia lgg kfc q w q w q w q w q 52e w 3a
aa: x0y 1
ae: 5i w ry 1
ao: x10 1
ar: 2rd3
au: x12 1
av: x14 1 1 1
ay: x18 1
b: ao 2 2 5r 1y 6x w 2n 1 q 5 1 o o 1 15 1 30i 11 3i 1 8s 20 s7t kk hxq v 2o 15t4 1m 1m 1m 1m
  534 w 3a
bl: tn
c: 4i 6e 50 o a6 1c 7 14 w 2x 1 304 1t1 pp 2df 1 nqt 1cl h6b 2o 7n 14 67 3wt 9 16qo s 4 3a 12c
d: 5s w w 1 3c 3 5m 1 iy 2vz 1z 3s a7 c 1ej py q3r 1 1tog w 3a
dz: ir
e: d9 2x 1 h 1 2 8q e i 9 2f w o 4 3 2x 2 2y5 1uj px 3m cx 20q nnb 18i h90 4dc 8 11j2 1m 1m 1m
  1m 534 w 3a
f: an i 1 5p al 1 52 6p 374 1iy 8f qio gj 2w 1 po h8y u hs 3ul w 10lt 14n 51n w 3a
g: ar a 2f 1 3f 1 1 iy 39 2tb 1f 1w0 v qpg 1tog w 3a
h: 86 1 8u 1 1i 6z 3q w u 1z o 1 c 2 4n 2tn 7 1c ay 1ks pj 28o 13 nrt by i7u 15un 1m 1m 1m 1m
  535 w 3a
i: 4h 40 8n 1 1 35 4f v w 25 28 1 30u 1us 36 1 g2 qd 5 9v pkc 10u lla 11i9 12 1m 1m 1m 1m 52e w
  3a
j: g8 1 1h v 6a 38 l 28 30z 6a 1od qtr k9 1t47 w 3a
k: bd 79 70 w 2o w 2o 1 3 30o kv 186 pu 2bg 17 nr7 h5 ijc 15eh 1m 1m 1m 1m 535 w 3a
l: 8x 1 2c 1 3 12 4r 2 1e f5 f l7 2dw 5o ev 21b 1 27 5f d6 1p1 1q 3j nma h htj 5b iq 3j n 6z 7f
  3ul f h2c i jk2 da 1g 1g 2w 2w 1g 1g 1g 1g 1g 1g 1k 1m 1m 1m 1m 1j a a a a 3bk 1p0 w 3a 1z4
lj: 8i
ll: ch 5zp 97 5g 1850
lo: tq
ls: iy
lt: 6gm
lv: 6lf
lx: 6lk
lz: iz
m: hb 8d 2m y w 41 2y2 ft 6e 187 32j nrb ij5 2p 15sy 1m 1m 1m 1m 535 w 3a
mb: 2rfv
n: 97 2a 1 5w 1 1 89 q 3l 1 6 7h 18 4 4qc 2zu nra ib2 p1 15ep k 12 k 12 k 12 k 12 k 52l w 3a
o: 60 w 4n 2n 3b 83 7 p 7 4 e z 16 w 1g 1 39 1 30 1c fv bq 3k 3k 3k 1m 1y 3k s 2s s 2s s u 1y s
  5q 3k 8w d z 5b cx 6m 19 1t0 2 nz fa 7 5r 1te 1 42 g j nmn gn 1 s2 1 1i q 19 h5j p 9l 14 46 14
  18 33u rp j f 9 10l6 wl 7 3 g 7 4 9 c 7 3 g 7 4 9 c 7 3 g 7 4 9 c 7 3 g 7 4 9 c 7 3 g 7 4 9 9
  a a a a 50o w 3a 10g yk
oe: 9e 1
oo: 6qm q62 1 51 1
p: 72 4n q de w 1c 1b w 336 3v 1pn 2t 16f 1ta 1 nqm iis 15wj q e i q e i q e i q e i q e 51z w
  3a
q: io hn 20 3 7vz 2haj w 3a
qe: 2rcw
r: bq 4n 18 3 1 3 c3 s 30y 1d c5 1i7 24 2z7 nry 19g 1 1l hmb l1d jj5 66j w 3a
rn: hd 5by mu 62 1cht df 10zn 1g 1g 1g 1g 1g 1g 1g 1g 1g 1g 1g 1g
s: 4n 75 l 5h ar 28 6y 2va 5 1wa qr2 gf vt h64 ay 14 41l h2x ppk w 3a
ss: 67
t: 9y 1 1y 1 40 21 7x w 2m w 2y 2ye 1vd 2i iz 3y dy 59 vs y5 nqm iir q 2s 49z h1q khd 1m 1m 1m
  1m 534 w 3a 12n
tf: x2v
ts: iu
u: g4 1x 2 8h 9 3l 7b 1c 2gz cs 3k 1qo 2q x8 49 ppt iz q7 4 22 hma 14 3wi w h2i kgk 1m 1m 1m 1m
  52e w 3a
ue: 5t7
uo: xur
v: i4 8h 53 1 31g 2e 1rl zs 49 22f nn2 e1 y2 gz2 p2 3jd be w h1k jk5 xt 1m 1m 1m 1m 52n w 3a zx
vb: 2rfw
vl: 6lh
w: i5 8s 3j 1 o s 4f 1 1w 2tu x 1u5 p4 q4h hj te ksi g5 4 1 d3 9 16rb w 3a
x: 5z k0 w 2m h f 31 1 39q 1o 6o 1 21 2ws qg 1 77 1 ho 4x nm6 js hr7 6y 10 2r b ed 3wl 11hu 1m
  1m 1m 1m 535 w 3a
xl: 6lm
y: 4l 7j 4a 1 k 17 1 7q e v 29 w 4 2v 1 1 1 2eu jm k 1xr ab fy 297 nr8 19q h94 4c2 1k h2f kft 8
  1e 8 1e 8 1e 8 1e 8 530 w 3a
z: c5 1 32 1 2z 7a 371 1un 2c qqu 1br h9e 4ac r x 11hk 1m 1m 1m 1m 53o w 3a`;
