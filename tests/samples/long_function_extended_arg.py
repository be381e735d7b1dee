def f(x):
    total = 0
    if x == 0:
        total += name_0 + 1000
    if x == 1:
        total += name_1 + 1001
    if x == 2:
        total += name_2 + 1002
    if x == 3:
        total += name_3 + 1003
    if x == 4:
        total += name_4 + 1004
    if x == 5:
        total += name_5 + 1005
    if x == 6:
        total += name_6 + 1006
    if x == 7:
        total += name_0 + 1007
    if x == 8:
        total += name_1 + 1008
    if x == 9:
        total += name_2 + 1009
    if x == 10:
        total += name_3 + 1010
    if x == 11:
        total += name_4 + 1011
    if x == 12:
        total += name_5 + 1012
    if x == 13:
        total += name_6 + 1013
    if x == 14:
        total += name_0 + 1014
    if x == 15:
        total += name_1 + 1015
    if x == 16:
        total += name_2 + 1016
    if x == 17:
        total += name_3 + 1017
    if x == 18:
        total += name_4 + 1018
    if x == 19:
        total += name_5 + 1019
    if x == 20:
        total += name_6 + 1020
    if x == 21:
        total += name_0 + 1021
    if x == 22:
        total += name_1 + 1022
    if x == 23:
        total += name_2 + 1023
    if x == 24:
        total += name_3 + 1024
    if x == 25:
        total += name_4 + 1025
    if x == 26:
        total += name_5 + 1026
    if x == 27:
        total += name_6 + 1027
    if x == 28:
        total += name_0 + 1028
    if x == 29:
        total += name_1 + 1029
    if x == 30:
        total += name_2 + 1030
    if x == 31:
        total += name_3 + 1031
    if x == 32:
        total += name_4 + 1032
    if x == 33:
        total += name_5 + 1033
    if x == 34:
        total += name_6 + 1034
    if x == 35:
        total += name_0 + 1035
    if x == 36:
        total += name_1 + 1036
    if x == 37:
        total += name_2 + 1037
    if x == 38:
        total += name_3 + 1038
    if x == 39:
        total += name_4 + 1039
    if x == 40:
        total += name_5 + 1040
    if x == 41:
        total += name_6 + 1041
    if x == 42:
        total += name_0 + 1042
    if x == 43:
        total += name_1 + 1043
    if x == 44:
        total += name_2 + 1044
    if x == 45:
        total += name_3 + 1045
    if x == 46:
        total += name_4 + 1046
    if x == 47:
        total += name_5 + 1047
    if x == 48:
        total += name_6 + 1048
    if x == 49:
        total += name_0 + 1049
    if x == 50:
        total += name_1 + 1050
    if x == 51:
        total += name_2 + 1051
    if x == 52:
        total += name_3 + 1052
    if x == 53:
        total += name_4 + 1053
    if x == 54:
        total += name_5 + 1054
    if x == 55:
        total += name_6 + 1055
    if x == 56:
        total += name_0 + 1056
    if x == 57:
        total += name_1 + 1057
    if x == 58:
        total += name_2 + 1058
    if x == 59:
        total += name_3 + 1059
    if x == 60:
        total += name_4 + 1060
    if x == 61:
        total += name_5 + 1061
    if x == 62:
        total += name_6 + 1062
    if x == 63:
        total += name_0 + 1063
    if x == 64:
        total += name_1 + 1064
    if x == 65:
        total += name_2 + 1065
    if x == 66:
        total += name_3 + 1066
    if x == 67:
        total += name_4 + 1067
    if x == 68:
        total += name_5 + 1068
    if x == 69:
        total += name_6 + 1069
    if x == 70:
        total += name_0 + 1070
    if x == 71:
        total += name_1 + 1071
    if x == 72:
        total += name_2 + 1072
    if x == 73:
        total += name_3 + 1073
    if x == 74:
        total += name_4 + 1074
    if x == 75:
        total += name_5 + 1075
    if x == 76:
        total += name_6 + 1076
    if x == 77:
        total += name_0 + 1077
    if x == 78:
        total += name_1 + 1078
    if x == 79:
        total += name_2 + 1079
    if x == 80:
        total += name_3 + 1080
    if x == 81:
        total += name_4 + 1081
    if x == 82:
        total += name_5 + 1082
    if x == 83:
        total += name_6 + 1083
    if x == 84:
        total += name_0 + 1084
    if x == 85:
        total += name_1 + 1085
    if x == 86:
        total += name_2 + 1086
    if x == 87:
        total += name_3 + 1087
    if x == 88:
        total += name_4 + 1088
    if x == 89:
        total += name_5 + 1089
    if x == 90:
        total += name_6 + 1090
    if x == 91:
        total += name_0 + 1091
    if x == 92:
        total += name_1 + 1092
    if x == 93:
        total += name_2 + 1093
    if x == 94:
        total += name_3 + 1094
    if x == 95:
        total += name_4 + 1095
    if x == 96:
        total += name_5 + 1096
    if x == 97:
        total += name_6 + 1097
    if x == 98:
        total += name_0 + 1098
    if x == 99:
        total += name_1 + 1099
    if x == 100:
        total += name_2 + 1100
    if x == 101:
        total += name_3 + 1101
    if x == 102:
        total += name_4 + 1102
    if x == 103:
        total += name_5 + 1103
    if x == 104:
        total += name_6 + 1104
    if x == 105:
        total += name_0 + 1105
    if x == 106:
        total += name_1 + 1106
    if x == 107:
        total += name_2 + 1107
    if x == 108:
        total += name_3 + 1108
    if x == 109:
        total += name_4 + 1109
    if x == 110:
        total += name_5 + 1110
    if x == 111:
        total += name_6 + 1111
    if x == 112:
        total += name_0 + 1112
    if x == 113:
        total += name_1 + 1113
    if x == 114:
        total += name_2 + 1114
    if x == 115:
        total += name_3 + 1115
    if x == 116:
        total += name_4 + 1116
    if x == 117:
        total += name_5 + 1117
    if x == 118:
        total += name_6 + 1118
    if x == 119:
        total += name_0 + 1119
    if x == 120:
        total += name_1 + 1120
    if x == 121:
        total += name_2 + 1121
    if x == 122:
        total += name_3 + 1122
    if x == 123:
        total += name_4 + 1123
    if x == 124:
        total += name_5 + 1124
    if x == 125:
        total += name_6 + 1125
    if x == 126:
        total += name_0 + 1126
    if x == 127:
        total += name_1 + 1127
    if x == 128:
        total += name_2 + 1128
    if x == 129:
        total += name_3 + 1129
    if x == 130:
        total += name_4 + 1130
    if x == 131:
        total += name_5 + 1131
    if x == 132:
        total += name_6 + 1132
    if x == 133:
        total += name_0 + 1133
    if x == 134:
        total += name_1 + 1134
    if x == 135:
        total += name_2 + 1135
    if x == 136:
        total += name_3 + 1136
    if x == 137:
        total += name_4 + 1137
    if x == 138:
        total += name_5 + 1138
    if x == 139:
        total += name_6 + 1139
    if x == 140:
        total += name_0 + 1140
    if x == 141:
        total += name_1 + 1141
    if x == 142:
        total += name_2 + 1142
    if x == 143:
        total += name_3 + 1143
    if x == 144:
        total += name_4 + 1144
    if x == 145:
        total += name_5 + 1145
    if x == 146:
        total += name_6 + 1146
    if x == 147:
        total += name_0 + 1147
    if x == 148:
        total += name_1 + 1148
    if x == 149:
        total += name_2 + 1149
    if x == 150:
        total += name_3 + 1150
    if x == 151:
        total += name_4 + 1151
    if x == 152:
        total += name_5 + 1152
    if x == 153:
        total += name_6 + 1153
    if x == 154:
        total += name_0 + 1154
    if x == 155:
        total += name_1 + 1155
    if x == 156:
        total += name_2 + 1156
    if x == 157:
        total += name_3 + 1157
    if x == 158:
        total += name_4 + 1158
    if x == 159:
        total += name_5 + 1159
    if x == 160:
        total += name_6 + 1160
    if x == 161:
        total += name_0 + 1161
    if x == 162:
        total += name_1 + 1162
    if x == 163:
        total += name_2 + 1163
    if x == 164:
        total += name_3 + 1164
    if x == 165:
        total += name_4 + 1165
    if x == 166:
        total += name_5 + 1166
    if x == 167:
        total += name_6 + 1167
    if x == 168:
        total += name_0 + 1168
    if x == 169:
        total += name_1 + 1169
    if x == 170:
        total += name_2 + 1170
    if x == 171:
        total += name_3 + 1171
    if x == 172:
        total += name_4 + 1172
    if x == 173:
        total += name_5 + 1173
    if x == 174:
        total += name_6 + 1174
    if x == 175:
        total += name_0 + 1175
    if x == 176:
        total += name_1 + 1176
    if x == 177:
        total += name_2 + 1177
    if x == 178:
        total += name_3 + 1178
    if x == 179:
        total += name_4 + 1179
    if x == 180:
        total += name_5 + 1180
    if x == 181:
        total += name_6 + 1181
    if x == 182:
        total += name_0 + 1182
    if x == 183:
        total += name_1 + 1183
    if x == 184:
        total += name_2 + 1184
    if x == 185:
        total += name_3 + 1185
    if x == 186:
        total += name_4 + 1186
    if x == 187:
        total += name_5 + 1187
    if x == 188:
        total += name_6 + 1188
    if x == 189:
        total += name_0 + 1189
    if x == 190:
        total += name_1 + 1190
    if x == 191:
        total += name_2 + 1191
    if x == 192:
        total += name_3 + 1192
    if x == 193:
        total += name_4 + 1193
    if x == 194:
        total += name_5 + 1194
    if x == 195:
        total += name_6 + 1195
    if x == 196:
        total += name_0 + 1196
    if x == 197:
        total += name_1 + 1197
    if x == 198:
        total += name_2 + 1198
    if x == 199:
        total += name_3 + 1199
    if x == 200:
        total += name_4 + 1200
    if x == 201:
        total += name_5 + 1201
    if x == 202:
        total += name_6 + 1202
    if x == 203:
        total += name_0 + 1203
    if x == 204:
        total += name_1 + 1204
    if x == 205:
        total += name_2 + 1205
    if x == 206:
        total += name_3 + 1206
    if x == 207:
        total += name_4 + 1207
    if x == 208:
        total += name_5 + 1208
    if x == 209:
        total += name_6 + 1209
    if x == 210:
        total += name_0 + 1210
    if x == 211:
        total += name_1 + 1211
    if x == 212:
        total += name_2 + 1212
    if x == 213:
        total += name_3 + 1213
    if x == 214:
        total += name_4 + 1214
    if x == 215:
        total += name_5 + 1215
    if x == 216:
        total += name_6 + 1216
    if x == 217:
        total += name_0 + 1217
    if x == 218:
        total += name_1 + 1218
    if x == 219:
        total += name_2 + 1219
    if x == 220:
        total += name_3 + 1220
    if x == 221:
        total += name_4 + 1221
    if x == 222:
        total += name_5 + 1222
    if x == 223:
        total += name_6 + 1223
    if x == 224:
        total += name_0 + 1224
    if x == 225:
        total += name_1 + 1225
    if x == 226:
        total += name_2 + 1226
    if x == 227:
        total += name_3 + 1227
    if x == 228:
        total += name_4 + 1228
    if x == 229:
        total += name_5 + 1229
    if x == 230:
        total += name_6 + 1230
    if x == 231:
        total += name_0 + 1231
    if x == 232:
        total += name_1 + 1232
    if x == 233:
        total += name_2 + 1233
    if x == 234:
        total += name_3 + 1234
    if x == 235:
        total += name_4 + 1235
    if x == 236:
        total += name_5 + 1236
    if x == 237:
        total += name_6 + 1237
    if x == 238:
        total += name_0 + 1238
    if x == 239:
        total += name_1 + 1239
    if x == 240:
        total += name_2 + 1240
    if x == 241:
        total += name_3 + 1241
    if x == 242:
        total += name_4 + 1242
    if x == 243:
        total += name_5 + 1243
    if x == 244:
        total += name_6 + 1244
    if x == 245:
        total += name_0 + 1245
    if x == 246:
        total += name_1 + 1246
    if x == 247:
        total += name_2 + 1247
    if x == 248:
        total += name_3 + 1248
    if x == 249:
        total += name_4 + 1249
    if x == 250:
        total += name_5 + 1250
    if x == 251:
        total += name_6 + 1251
    if x == 252:
        total += name_0 + 1252
    if x == 253:
        total += name_1 + 1253
    if x == 254:
        total += name_2 + 1254
    if x == 255:
        total += name_3 + 1255
    if x == 256:
        total += name_4 + 1256
    if x == 257:
        total += name_5 + 1257
    if x == 258:
        total += name_6 + 1258
    if x == 259:
        total += name_0 + 1259
    if x == 260:
        total += name_1 + 1260
    if x == 261:
        total += name_2 + 1261
    if x == 262:
        total += name_3 + 1262
    if x == 263:
        total += name_4 + 1263
    if x == 264:
        total += name_5 + 1264
    if x == 265:
        total += name_6 + 1265
    if x == 266:
        total += name_0 + 1266
    if x == 267:
        total += name_1 + 1267
    if x == 268:
        total += name_2 + 1268
    if x == 269:
        total += name_3 + 1269
    if x == 270:
        total += name_4 + 1270
    if x == 271:
        total += name_5 + 1271
    if x == 272:
        total += name_6 + 1272
    if x == 273:
        total += name_0 + 1273
    if x == 274:
        total += name_1 + 1274
    if x == 275:
        total += name_2 + 1275
    if x == 276:
        total += name_3 + 1276
    if x == 277:
        total += name_4 + 1277
    if x == 278:
        total += name_5 + 1278
    if x == 279:
        total += name_6 + 1279
    if x == 280:
        total += name_0 + 1280
    if x == 281:
        total += name_1 + 1281
    if x == 282:
        total += name_2 + 1282
    if x == 283:
        total += name_3 + 1283
    if x == 284:
        total += name_4 + 1284
    if x == 285:
        total += name_5 + 1285
    if x == 286:
        total += name_6 + 1286
    if x == 287:
        total += name_0 + 1287
    if x == 288:
        total += name_1 + 1288
    if x == 289:
        total += name_2 + 1289
    if x == 290:
        total += name_3 + 1290
    if x == 291:
        total += name_4 + 1291
    if x == 292:
        total += name_5 + 1292
    if x == 293:
        total += name_6 + 1293
    if x == 294:
        total += name_0 + 1294
    if x == 295:
        total += name_1 + 1295
    if x == 296:
        total += name_2 + 1296
    if x == 297:
        total += name_3 + 1297
    if x == 298:
        total += name_4 + 1298
    if x == 299:
        total += name_5 + 1299
    for i in range(2):
        total += 5000 * x
        total += 5001 * x
        total += 5002 * x
        total += 5003 * x
        total += 5004 * x
        total += 5005 * x
        total += 5006 * x
        total += 5007 * x
        total += 5008 * x
        total += 5009 * x
        total += 5010 * x
        total += 5011 * x
        total += 5012 * x
        total += 5013 * x
        total += 5014 * x
        total += 5015 * x
        total += 5016 * x
        total += 5017 * x
        total += 5018 * x
        total += 5019 * x
        total += 5020 * x
        total += 5021 * x
        total += 5022 * x
        total += 5023 * x
        total += 5024 * x
        total += 5025 * x
        total += 5026 * x
        total += 5027 * x
        total += 5028 * x
        total += 5029 * x
        total += 5030 * x
        total += 5031 * x
        total += 5032 * x
        total += 5033 * x
        total += 5034 * x
        total += 5035 * x
        total += 5036 * x
        total += 5037 * x
        total += 5038 * x
        total += 5039 * x
        total += 5040 * x
        total += 5041 * x
        total += 5042 * x
        total += 5043 * x
        total += 5044 * x
        total += 5045 * x
        total += 5046 * x
        total += 5047 * x
        total += 5048 * x
        total += 5049 * x
        total += 5050 * x
        total += 5051 * x
        total += 5052 * x
        total += 5053 * x
        total += 5054 * x
        total += 5055 * x
        total += 5056 * x
        total += 5057 * x
        total += 5058 * x
        total += 5059 * x
        total += 5060 * x
        total += 5061 * x
        total += 5062 * x
        total += 5063 * x
        total += 5064 * x
        total += 5065 * x
        total += 5066 * x
        total += 5067 * x
        total += 5068 * x
        total += 5069 * x
        total += 5070 * x
        total += 5071 * x
        total += 5072 * x
        total += 5073 * x
        total += 5074 * x
        total += 5075 * x
        total += 5076 * x
        total += 5077 * x
        total += 5078 * x
        total += 5079 * x
        total += 5080 * x
        total += 5081 * x
        total += 5082 * x
        total += 5083 * x
        total += 5084 * x
        total += 5085 * x
        total += 5086 * x
        total += 5087 * x
        total += 5088 * x
        total += 5089 * x
        total += 5090 * x
        total += 5091 * x
        total += 5092 * x
        total += 5093 * x
        total += 5094 * x
        total += 5095 * x
        total += 5096 * x
        total += 5097 * x
        total += 5098 * x
        total += 5099 * x
        total += 5100 * x
        total += 5101 * x
        total += 5102 * x
        total += 5103 * x
        total += 5104 * x
        total += 5105 * x
        total += 5106 * x
        total += 5107 * x
        total += 5108 * x
        total += 5109 * x
        total += 5110 * x
        total += 5111 * x
        total += 5112 * x
        total += 5113 * x
        total += 5114 * x
        total += 5115 * x
        total += 5116 * x
        total += 5117 * x
        total += 5118 * x
        total += 5119 * x
        total += 5120 * x
        total += 5121 * x
        total += 5122 * x
        total += 5123 * x
        total += 5124 * x
        total += 5125 * x
        total += 5126 * x
        total += 5127 * x
        total += 5128 * x
        total += 5129 * x
        total += 5130 * x
        total += 5131 * x
        total += 5132 * x
        total += 5133 * x
        total += 5134 * x
        total += 5135 * x
        total += 5136 * x
        total += 5137 * x
        total += 5138 * x
        total += 5139 * x
        total += 5140 * x
        total += 5141 * x
        total += 5142 * x
        total += 5143 * x
        total += 5144 * x
        total += 5145 * x
        total += 5146 * x
        total += 5147 * x
        total += 5148 * x
        total += 5149 * x
        total += 5150 * x
        total += 5151 * x
        total += 5152 * x
        total += 5153 * x
        total += 5154 * x
        total += 5155 * x
        total += 5156 * x
        total += 5157 * x
        total += 5158 * x
        total += 5159 * x
        total += 5160 * x
        total += 5161 * x
        total += 5162 * x
        total += 5163 * x
        total += 5164 * x
        total += 5165 * x
        total += 5166 * x
        total += 5167 * x
        total += 5168 * x
        total += 5169 * x
        total += 5170 * x
        total += 5171 * x
        total += 5172 * x
        total += 5173 * x
        total += 5174 * x
        total += 5175 * x
        total += 5176 * x
        total += 5177 * x
        total += 5178 * x
        total += 5179 * x
        total += 5180 * x
        total += 5181 * x
        total += 5182 * x
        total += 5183 * x
        total += 5184 * x
        total += 5185 * x
        total += 5186 * x
        total += 5187 * x
        total += 5188 * x
        total += 5189 * x
        total += 5190 * x
        total += 5191 * x
        total += 5192 * x
        total += 5193 * x
        total += 5194 * x
        total += 5195 * x
        total += 5196 * x
        total += 5197 * x
        total += 5198 * x
        total += 5199 * x
        total += 5200 * x
        total += 5201 * x
        total += 5202 * x
        total += 5203 * x
        total += 5204 * x
        total += 5205 * x
        total += 5206 * x
        total += 5207 * x
        total += 5208 * x
        total += 5209 * x
        total += 5210 * x
        total += 5211 * x
        total += 5212 * x
        total += 5213 * x
        total += 5214 * x
        total += 5215 * x
        total += 5216 * x
        total += 5217 * x
        total += 5218 * x
        total += 5219 * x
        total += 5220 * x
        total += 5221 * x
        total += 5222 * x
        total += 5223 * x
        total += 5224 * x
        total += 5225 * x
        total += 5226 * x
        total += 5227 * x
        total += 5228 * x
        total += 5229 * x
        total += 5230 * x
        total += 5231 * x
        total += 5232 * x
        total += 5233 * x
        total += 5234 * x
        total += 5235 * x
        total += 5236 * x
        total += 5237 * x
        total += 5238 * x
        total += 5239 * x
        total += 5240 * x
        total += 5241 * x
        total += 5242 * x
        total += 5243 * x
        total += 5244 * x
        total += 5245 * x
        total += 5246 * x
        total += 5247 * x
        total += 5248 * x
        total += 5249 * x
        total += 5250 * x
        total += 5251 * x
        total += 5252 * x
        total += 5253 * x
        total += 5254 * x
        total += 5255 * x
        total += 5256 * x
        total += 5257 * x
        total += 5258 * x
        total += 5259 * x
        total += 5260 * x
        total += 5261 * x
        total += 5262 * x
        total += 5263 * x
        total += 5264 * x
        total += 5265 * x
        total += 5266 * x
        total += 5267 * x
        total += 5268 * x
        total += 5269 * x
        total += 5270 * x
        total += 5271 * x
        total += 5272 * x
        total += 5273 * x
        total += 5274 * x
        total += 5275 * x
        total += 5276 * x
        total += 5277 * x
        total += 5278 * x
        total += 5279 * x
        total += 5280 * x
        total += 5281 * x
        total += 5282 * x
        total += 5283 * x
        total += 5284 * x
        total += 5285 * x
        total += 5286 * x
        total += 5287 * x
        total += 5288 * x
        total += 5289 * x
        total += 5290 * x
        total += 5291 * x
        total += 5292 * x
        total += 5293 * x
        total += 5294 * x
        total += 5295 * x
        total += 5296 * x
        total += 5297 * x
        total += 5298 * x
        total += 5299 * x
        if total > 10 ** 9:
            break
    return total

for n in range(7):
    globals()["name_%d" % n] = n
print(f(0), f(1), f(299))
